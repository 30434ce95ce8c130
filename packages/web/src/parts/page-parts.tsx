import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child, FC, PropsWithChildren } from 'hono/jsx';
import { agoInWords, durationInWords, momentInWords } from '../site/formats.ts';
import { hasMessage, type MessageKey } from '../site/messages.ts';
import type { Page, WebEnv } from '../site/page.ts';
import { Notice } from './blocks.tsx';
import { Icon } from './icon.tsx';

/**
 * Shows the result of the form that redirected here: `?done=revoked` shows the text `{texts}.revoked`. It takes the
 * focus, so that screen readers announce it first.
 */
export function Result<E extends WebEnv>({
  context,
  texts,
  children,
}: PropsWithChildren<{ context: Context<E>; texts: string }>): Child {
  const { t }: Page = context.get('page');
  const done = context.req.query('done') ?? '';
  const key = `${texts}.${done}`;
  if (!/^\w+$/.test(done) || !hasMessage(key)) return null;
  return (
    <Notice tone="good" role="status" tabindex={-1} autofocus data-result>
      {t(key)} {children}
    </Notice>
  );
}

/** A list of names and values. Null leaves an item out. */
export const Facts: FC<{ items: readonly (readonly [label: Child, value: Child] | null)[] }> = ({ items }) => (
  <dl class="facts">
    {/* Rows of a list have hundreds of them, and a text is drawn several times faster than elements. */}
    {items.map((item) => (item === null ? null : html`<div><dt>${item[0]}</dt><dd>${item[1]}</dd></div>`))}
  </dl>
);

/** A section of a page, named by its heading, which links can lead to. */
export const Section: FC<PropsWithChildren<{ id: string; title: string; class?: string }>> = (props) => (
  <section aria-labelledby={props.id} class={props.class}>
    <h2 id={props.id}>{props.title}</h2>
    {props.children}
  </section>
);

/** A page to go to. */
export interface Link {
  readonly path: string;
  readonly label: MessageKey;
}

/** A paragraph with one link. */
export const LinkTo: FC<Link & { page: Page }> = ({ path, label, page: { t, href } }) => (
  <p>
    <a href={href(path)}>{t(label)}</a>
  </p>
);

/** A button that leads to a page. */
export const ButtonTo: FC<Link & { page: Page; kind?: 'secondary' | 'danger' }> = (props) => {
  const { path, label, kind = 'secondary', page } = props;
  return (
    <a href={page.href(path)} class={`button ${kind}`}>
      {page.t(label)}
    </a>
  );
};

/** A link, drawn as a quiet button beside that of a form, which leaves the form without sending it. */
export const CancelButton: FC<{ path: string; page: Page }> = ({ path, page: { t, href } }) => (
  <a href={href(path)} class="button quiet">
    {t('site:cancel')}
  </a>
);

/** A moment, to the minute. */
export const Moment: FC<{ at: Date; page: Page }> = ({ at, page }) => (
  <time datetime={at.toISOString()}>{momentInWords(at, page.language)}</time>
);

/** How long ago it was; the moment itself shows on hover. */
export const Age: FC<{ since: Date; now: Date; page: Page }> = ({ since, now, page }) => (
  <time datetime={since.toISOString()} title={momentInWords(since, page.language)}>
    {durationInWords(now.getTime() - since.getTime(), page.language)}
  </time>
);

/** How long ago it was, as lists show it: `12 min ago`. The moment itself shows on hover. */
export const Ago: FC<{ at: Date; now: Date; page: Page }> = ({ at, now, page }) => (
  <time datetime={at.toISOString()} title={momentInWords(at, page.language)}>
    {agoInWords(now.getTime() - at.getTime(), page.language)}
  </time>
);

/** The link above the title to the page that this one belongs to. */
export const BackLink: FC<Link & { page: Page }> = ({ path, label, page }) => (
  <a href={page.href(path)} class="back-link">
    <Icon page={page} name="chevron-left" />
    {page.t(label)}
  </a>
);
