import type { Handler } from 'hono';
import { html, raw } from 'hono/html';
import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import type { Language } from '../site/language.ts';
import { answerPage } from '../site/layout.tsx';
import type { WebEnv } from '../site/page.ts';
import { DOCS_PATH } from '../site/paths.ts';
import { type Docs, GUIDES_PATH, REFERENCE_PATH } from './docs.ts';
import type { Guide } from './guide.ts';
import { COPY_SCRIPT } from './prose.tsx';

/** The language of the documentation: that of the API's messages. */
const LANGUAGE: Language = 'en';

/** A page of the documentation. */
export interface DocsPage {
  readonly path: string;
  readonly title: string;
  readonly scripts?: readonly string[];
  readonly content: (docs: Docs) => Child;
}

/** Answers with a page. Its content is the same for every visitor, and drawn once, at the first request. */
export function docsPage(docsOf: () => Docs, guides: readonly Guide[], page: DocsPage): Handler<WebEnv> {
  let drawn: string | undefined;
  const draw = async (): Promise<string> => {
    const docs = docsOf();
    const content = await html`${(
      <div class="docs">
        <Navigation docs={docs} guides={guides} current={page.path} />
        <div class="docs-content">{page.content(docs)}</div>
      </div>
    )}`;
    return content.toString();
  };

  return async (context) => {
    if (drawn === undefined) {
      await context.get('page').turn();
      drawn ??= await draw();
    }
    const { t, language } = context.get('page');
    return answerPage(
      context,
      {
        title: page.title,
        frame: { name: 'docs' },
        contentLanguage: LANGUAGE,
        scripts: [COPY_SCRIPT, ...(page.scripts ?? [])],
      },
      <>
        {language === LANGUAGE ? null : (
          <p class="notice" lang={language}>
            {t('site:docsLanguage')}
          </p>
        )}
        {raw(drawn)}
      </>,
    );
  };
}

/** Links to every page and, on the reference, to each operation. */
const Navigation: FC<{ docs: Docs; guides: readonly Guide[]; current: string }> = ({ docs, guides, current }) => (
  <nav class="docs-nav" aria-label="Documentation">
    <ul>
      <NavigationItem docs={docs} path={DOCS_PATH} current={current}>
        Overview
      </NavigationItem>
      {guides.map(({ slug, title }) => (
        <NavigationItem docs={docs} path={`${GUIDES_PATH}/${slug}`} current={current}>
          {title}
        </NavigationItem>
      ))}
      <NavigationItem docs={docs} path={REFERENCE_PATH} current={current}>
        API reference
      </NavigationItem>
    </ul>
    {current === REFERENCE_PATH ? <Operations docs={docs} /> : null}
  </nav>
);

const NavigationItem: FC<PropsWithChildren<{ docs: Docs; path: string; current: string }>> = (props) => (
  <li>
    <a href={props.docs.href(props.path)} aria-current={props.path === props.current ? 'page' : undefined}>
      {props.children}
    </a>
  </li>
);

const Operations: FC<{ docs: Docs }> = ({ docs }) => (
  <ul class="docs-operations">
    {docs.operations.map(({ operationId, method, path }) => (
      <li>
        <a href={`#${operationId}`}>
          <code>
            {method} {path}
          </code>
        </a>
      </li>
    ))}
    {[
      ['tag-webhooks', 'Webhooks'],
      ['headers', 'Headers'],
      ['objects', 'Objects'],
    ].map(([id, title]) => (
      <li>
        <a href={`#${id}`}>{title}</a>
      </li>
    ))}
  </ul>
);
