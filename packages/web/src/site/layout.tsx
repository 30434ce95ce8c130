import type { ShownAppearance } from '@countersign/domain/clients';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  AppearanceContacts,
  AppearanceName,
  AppearanceStyle,
  type LinkPreview,
  PreviewTags,
} from './appearance-parts.tsx';
import { LANGUAGES, type Language } from './language.ts';
import { isolated } from './messages.ts';
import type { Page, PageFrame, WebEnv } from './page.ts';
import { isSafe } from './paths.ts';

/** The parts of a page around its content. */
export interface PageParts {
  readonly title: string;
  /** Default 200. */
  readonly status?: ContentfulStatusCode | undefined;
  /** Puts `Error:` before the title, which a screen reader reads first. */
  readonly hasErrors?: boolean | undefined;
  /** Names of modules in assets/, such as `capture.js`. */
  readonly scripts?: readonly string[] | undefined;
  /** Names of stylesheets in assets/, beside those of every page. */
  readonly styles?: readonly string[] | undefined;
  /** What stands around the content. Default: `subject`, a card below the client's name. */
  readonly frame?: PageFrame | undefined;
  /** Stands at the lower edge of the header, across the page. */
  readonly belowBar?: Child;
  /** What messengers show when the link of the page is pasted. */
  readonly preview?: LinkPreview | undefined;
  /** Paths of stylesheets that are no files of assets/. */
  readonly sheets?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where a reload of a page that answers a form leads to. Default: the path of the form. */
  readonly reloadPath?: string | undefined;
  /** The language of title and content, where it is not the visitor's. Header and footer stay in the visitor's. */
  readonly contentLanguage?: Language | undefined;
}

/** Stylesheets of each frame, beside those of every page. */
const FRAME_STYLES = {
  subject: ['subject.css'],
  staff: ['shell.css', 'staff.css'],
  docs: ['docs.css'],
} as const;

/** Stylesheets of every page. */
const STYLES = ['tokens.css', 'base.css', 'components.css'] as const;

/** Answers with a whole document, with `content` in its `<main>`, rendered in its turn. */
export async function answerPage<E extends WebEnv>(
  context: Context<E>,
  parts: PageParts,
  content: Child,
): Promise<Response> {
  const page: Page = context.get('page');
  const appearance = (await page.appearance?.()) ?? null;
  await page.turn();
  const reloadPath = isSafe(context.req.method) ? undefined : (parts.reloadPath ?? page.path);
  const document = html`<!doctype html>
${(
  <Document page={page} parts={{ ...parts, reloadPath }} appearance={appearance}>
    {content}
  </Document>
)}`;
  const headers = { 'Content-Language': parts.contentLanguage ?? page.language, ...parts.headers };
  // A plain text is sent as it is; a `String` would be copied into a stream first.
  return context.html(String(await document), parts.status ?? 200, headers);
}

/**
 * Settings of htmx that fit the content security policy: it adds no styles and copies no `style` attributes (as it does
 * for transitions). It also keeps no page in the browser's storage.
 */
const HTMX_CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  defaultSettleDelay: 0,
  history: false,
  // After an error the form stays as it was typed. A plain submit then shows the error page.
  noSwap: [204, 304, '4xx', '5xx'],
  mode: 'same-origin',
});

const Document: FC<PropsWithChildren<{ page: Page; parts: PageParts; appearance: ShownAppearance | null }>> = ({
  page,
  parts,
  appearance,
  children,
}) => {
  const { t, asset, language } = page;
  const { title, hasErrors = false, scripts = [], styles = [], sheets = [], preview, reloadPath, frame } = parts;
  const frameName = frame?.name ?? 'subject';
  const { contentLanguage = language } = parts;
  const visitors = contentLanguage === language ? undefined : language;
  return (
    <html lang={contentLanguage}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no" />
        <meta name="htmx-config" content={HTMX_CONFIG} />
        <title>{`${hasErrors ? `${t('site:error.prefix')} ` : ''}${titled(title, appearance?.name ?? t('site:name'))}`}</title>
        {preview === undefined ? null : <PreviewTags page={page} appearance={appearance} preview={preview} />}
        <link rel="icon" href={asset('icon.svg')} type="image/svg+xml" />
        {[...STYLES, ...FRAME_STYLES[frameName], ...styles].map((name) => (
          <link rel="stylesheet" href={asset(name)} />
        ))}
        {sheets.map((path) => (
          <link rel="stylesheet" href={page.href(path)} />
        ))}
        <AppearanceStyle page={page} appearance={appearance} />
        {scripts.includes('htmx.js') ? <script src={asset('htmx.js')} defer /> : null}
        {[...scripts, ...(reloadPath === undefined ? [] : ['answered.js'])]
          .filter((name) => name !== 'htmx.js')
          .map((name) => (
            <script type="module" src={asset(name)} />
          ))}
      </head>
      <body
        class={frame?.class === undefined ? frameName : `${frameName} ${frame.class}`}
        data-reload={reloadPath === undefined ? undefined : page.href(reloadPath)}
      >
        <a class="skip-link" href="#main" lang={visitors}>
          {t('site:skip')}
        </a>
        {frame?.shell ?? (
          <header class="site-header" lang={visitors}>
            <div class="site-bar">
              {appearance === null ? (
                <span class="site-name">
                  <Mark page={page} />
                  {t('site:name')}
                </span>
              ) : (
                <AppearanceName page={page} appearance={appearance} />
              )}
              <LanguageSwitch page={page} />
            </div>
            {parts.belowBar}
          </header>
        )}
        <main id="main" tabindex={-1}>
          {children}
        </main>
        {frame?.shell === undefined ? (
          <footer class="site-footer" lang={visitors}>
            <div class="site-bar">
              {appearance === null ? null : <AppearanceContacts page={page} appearance={appearance} />}
              <p>{t('site:footer')}</p>
            </div>
          </footer>
        ) : null}
      </body>
    </html>
  );
};

/** The mark of this service. */
export const Mark: FC<{ page: Page }> = ({ page }) => (
  <img src={page.asset('icon.svg')} alt="" width="28" height="28" />
);

/** Puts the name behind the title, unless the title begins with it. */
function titled(title: string, name: string): string {
  return title.startsWith(name) ? title : `${isolated(title)} – ${isolated(name)}`;
}

/** One button for each language except the current one. */
const LanguageSwitch: FC<{ page: Page }> = ({ page }) => (
  <form method="post" action={page.href('/language')} class="language-switch">
    <input type="hidden" name="returnTo" value={page.returnPath} />
    {LANGUAGES.filter((language) => language !== page.language).map((language) => (
      <button type="submit" name="language" value={language} lang={language} class="link-button">
        {LANGUAGE_NAMES[language]}
      </button>
    ))}
  </form>
);

/** Each in its own language, for people who cannot read the current one. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;
