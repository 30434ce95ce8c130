import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { WebEnv } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { createFormValues, type FormValues } from './form-values.ts';

/** A form that is shown again: to correct it, or with the result of a preview. */
export interface KeptForm<More = unknown> {
  readonly values: FormValues;
  /** Messages by the field they stand at. */
  readonly errors: ReadonlyMap<string, string>;
  /** What else its page shows. */
  readonly more?: More | undefined;
}

/** Where a form is shown again, and to whom. */
export interface KeptFor {
  /** Path of the page that shows it, as `href` takes it. Default: the path of the request. */
  readonly path?: string;
  /** Query of that page, with its `?`. */
  readonly query?: string;
  /** The sender, such as the id of the user. Another user of the same browser does not see the form. */
  readonly owner: string;
}

/** A browser follows a redirect within seconds. */
const KEPT_MS = 5 * 60 * 1000;
/** A proxy may reserve 4 KiB for all headers of a response (nginx, `proxy_buffer_size`). */
const VALUE_MAX = 2_600;
/** No character that would end the attribute `Path` of a cookie. */
const COOKIE_PATH = /^[\w\-./~%:@!$&'()*+=]+$/;

/**
 * Keeps a form in a sealed cookie until its page has shown it once, and redirects there: the answer to a form would stay in the
 * history, and Back would ask the visitor to send the form again.
 *
 * @param form without passwords, codes and files
 * @returns null if the sender is a script, which receives the answer directly, or if the form is too large for a cookie
 */
export function keepForm(
  context: Context,
  site: Site,
  { values, errors, more }: KeptForm,
  { path = pageOf(context).path, query = '', owner }: KeptFor,
): Response | null {
  if (!isNavigation(context)) return null;
  const { secrets, clock } = site.options;
  const until = clock.now().getTime() + KEPT_MS;
  const stored: Stored = { until, entries: values.entries, errors: [...errors], more };
  const value = secrets.seal(deflateRawSync(JSON.stringify(stored)), purposeOf(path, owner));
  const address = pageOf(context).href(path);
  if (value.length > VALUE_MAX || !COOKIE_PATH.test(address)) return null;
  setCookie(context, cookieOf(site, path), value, { ...attributes(site, address), maxAge: KEPT_MS / 1000 });
  return context.redirect(address + query, 303);
}

/** Returns the form to show again on the requested page, once; null without one. */
export function takeKeptForm<More>(
  context: Context,
  site: Site,
  keptFor: Omit<KeptFor, 'query'>,
): KeptForm<More> | null {
  const { path = pageOf(context).path } = keptFor;
  const name = cookieOf(site, path);
  if (context.req.method !== 'GET' || getCookie(context, name) === undefined) return null;
  deleteCookie(context, name, attributes(site, pageOf(context).href(path)));
  return keptForm(context, site, keptFor);
}

/** Returns the form that is kept for the requested page, and keeps it until its time ends; null without one. */
export function keptForm<More>(
  context: Context,
  site: Site,
  { path = pageOf(context).path, owner }: Omit<KeptFor, 'query'>,
): KeptForm<More> | null {
  const value = getCookie(context, cookieOf(site, path));
  if (context.req.method !== 'GET' || value === undefined) return null;
  const { secrets, clock } = site.options;
  const content = secrets.open(value, purposeOf(path, owner));
  if (content === null) return null;
  // Only `keepForm` can have sealed it, for the same page.
  const stored = JSON.parse(inflateRawSync(content).toString()) as Stored<More>;
  if (clock.now().getTime() >= stored.until) return null;
  return { values: createFormValues(stored.entries), errors: new Map(stored.errors), more: stored.more };
}

/** Returns the status of a page with a form that comes back: of a refusal if it answers the form, 200 after the redirect. */
export function statusOfKept(
  { req }: Context,
  refused: ContentfulStatusCode | undefined,
): ContentfulStatusCode | undefined {
  return req.method === 'POST' ? refused : undefined;
}

interface Stored<More = unknown> {
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly entries: FormValues['entries'];
  readonly errors: readonly (readonly [string, string])[];
  readonly more?: More | undefined;
}

/**
 * Whether a browser will show the answer as a page. Scripts, htmx among them, receive the status of the answer instead.
 * Browsers send no `Sec-Fetch-Mode` to an address without TLS, but always accept HTML.
 */
function isNavigation({ req }: Context): boolean {
  const mode = req.header('Sec-Fetch-Mode');
  if (mode !== undefined) return mode === 'navigate';
  return req.header('HX-Request') === undefined && (req.header('Accept') ?? '').includes('text/html');
}

function pageOf(context: Context): WebEnv['Variables']['page'] {
  return (context as Context<WebEnv>).get('page');
}

/** A name for each page: the cookies of a page and of the pages below it are sent together. */
function cookieOf({ options: { secrets } }: Site, path: string): string {
  return `form-${secrets.sha256(path).slice(0, 12)}`;
}

function attributes({ secure }: Site, path: string) {
  return { path, httpOnly: true, sameSite: 'Strict', secure } as const;
}

function purposeOf(path: string, owner: string): string {
  return `kept form v1\n${path}\n${owner}`;
}
