import type { Handler } from 'hono';
import { html, raw } from 'hono/html';
import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { COPY_SCRIPT } from '../parts/copy.tsx';
import type { Language } from '../site/language.ts';
import { answerPage } from '../site/layout.tsx';
import type { WebEnv } from '../site/page.ts';
import { DOCS_PATH } from '../site/paths.ts';
import { operationTitle } from './api-document.ts';
import { type Docs, GUIDES_PATH } from './docs.ts';
import type { Guide } from './guide.ts';
import { WithPart } from './links.tsx';
import { documentedTags } from './reference-page.tsx';
import { HEADERS, OBJECTS, REFERENCE_PATH, referencePath, WEBHOOKS } from './reference-paths.ts';
import { TRY_IT_ID } from './try-it.tsx';

/** The language of the documentation: that of the API's messages. */
const LANGUAGE: Language = 'en';

/** A page of the documentation. */
export interface DocsPage {
  readonly path: string;
  readonly title: string;
  readonly scripts?: readonly string[];
  readonly content: (docs: Docs) => Child;
}

/** Finds a page; null if there is none of this name. The name is the last part of an address whose route has a parameter `name`. */
export type FindPage = (docs: Docs, name: string) => DocsPage | null;

/** Answers with a page. Its content is the same for every visitor, and drawn once, at the first request. */
export function docsPage(docsOf: () => Docs, guides: readonly Guide[], find: FindPage): Handler<WebEnv> {
  const drawn = new Map<string, string>();

  async function draw(docs: Docs, page: DocsPage): Promise<string> {
    const content = (await html`${page.content(docs)}`).toString();
    return (
      await html`${(
        <div class="docs-columns">
          <Navigation docs={docs} guides={guides} current={page.path} />
          <div class="docs-content">{raw(content)}</div>
          <OnThisPage content={content} />
        </div>
      )}`
    ).toString();
  }

  return async (context) => {
    const docs = docsOf();
    const page = find(docs, context.req.param('name') ?? '');
    if (page === null) return context.notFound();
    let body = drawn.get(page.path);
    if (body === undefined) {
      await context.get('page').turn();
      body = await draw(docs, page);
      drawn.set(page.path, body);
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
        {language === LANGUAGE ? null : <Notice lang={language}>{t('site:docsLanguage')}</Notice>}
        {raw(body)}
      </>,
    );
  };
}

/** Headings of sections, as `Section` draws them. */
const HEADING = /<h2 id="([^"]+)">(.*?)<\/h2>/gs;

/** Links to the sections of a page, from two on. */
const OnThisPage: FC<{ content: string }> = ({ content }) => {
  const headings = [...content.matchAll(HEADING)];
  return headings.length < 2 ? null : (
    <nav class="docs-toc" aria-labelledby="on-this-page">
      <p id="on-this-page">On this page</p>
      <ul>
        {headings.map(([, id, title = '']) => (
          <li {...(id === TRY_IT_ID ? { 'data-try-it': true, hidden: true } : {})}>
            <a href={`#${id}`}>{raw(title)}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** Links to every page; on those of the reference, to each operation. */
const Navigation: FC<{ docs: Docs; guides: readonly Guide[]; current: string }> = ({ docs, guides, current }) => {
  const item = { docs, current };
  return (
    <nav class="docs-nav" aria-label="Documentation">
      <details>
        <summary>Contents</summary>
        <ul>
          <NavigationItem {...item} path={DOCS_PATH}>
            Overview
          </NavigationItem>
          {guides.map(({ slug, title }) => (
            <NavigationItem {...item} path={`${GUIDES_PATH}/${slug}`}>
              {title}
            </NavigationItem>
          ))}
          <NavigationItem {...item} path={REFERENCE_PATH}>
            API reference
          </NavigationItem>
        </ul>
        {current.startsWith(REFERENCE_PATH) ? <ReferenceNavigation {...item} /> : null}
      </details>
    </nav>
  );
};

const ReferenceNavigation: FC<{ docs: Docs; current: string }> = ({ docs, current }) => {
  const item = { docs, current };
  return (
    <>
      {documentedTags(docs).map(({ name, tagged }) => (
        <>
          <p>{name}</p>
          <ul>
            {tagged.map((operation) => (
              <NavigationItem {...item} path={referencePath(operation.operationId)}>
                {operationTitle(operation)}
              </NavigationItem>
            ))}
          </ul>
        </>
      ))}
      <p>Shared</p>
      <ul>
        <WithPart docs={docs} part="webhooks">
          <NavigationItem {...item} path={referencePath(WEBHOOKS)}>
            Webhooks
          </NavigationItem>
        </WithPart>
        <NavigationItem {...item} path={referencePath(OBJECTS)}>
          Objects
        </NavigationItem>
        <NavigationItem {...item} path={referencePath(HEADERS)}>
          Headers
        </NavigationItem>
      </ul>
    </>
  );
};

const NavigationItem: FC<PropsWithChildren<{ docs: Docs; path: string; current: string }>> = (props) => (
  <li>
    <a href={props.docs.href(props.path)} aria-current={props.path === props.current ? 'page' : undefined}>
      {props.children}
    </a>
  </li>
);
