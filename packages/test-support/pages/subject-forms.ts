import type { SubjectType } from '@countersign/domain';
import { newFile } from './new-file.ts';
import { type Typed, typedOn } from './page-answers.ts';

/** A subject's answers and files. */
export interface SubjectContent {
  /** Replaces the default answers, by the slug of a screen or of a page of flow version 1. */
  readonly answers?: Readonly<Record<string, Typed>>;
  /** Returns the file for a page; null skips the upload. A `File` keeps its name. */
  file(slug: string): Blob | null;
}

/** A subject's session, over plain forms as a browser without JavaScript sends them. */
export interface SubjectForms {
  /** Returns the current page's slug; empty for the overview. */
  slug(): string;
  /** Answers the current page and continues to the next. @returns its slug */
  next(content: SubjectContent): Promise<string>;
  /** Answers page by page until the page `until` or until the verification is submitted. */
  walk(content: SubjectContent, until?: string): Promise<void>;
  /** Returns the cookie and the address, for other requests of the session. */
  session(): { readonly cookie: string; readonly address: string };
  get(slug?: string): Promise<Response>;
  /** Posts to a page as its form would, without following redirects. */
  post(slug: string, body: URLSearchParams | FormData): Promise<Response>;
  /** Posts a file to a page: the second time, one that looks like it. */
  upload(slug: string, file: Blob): Promise<Response>;
}

/** More pages than a walk has, with every screen of a redo and pictures that are taken again. */
const MOST_PAGES = 100;

/**
 * @param url a `verificationUrl`
 * @param options `address` where the server listens, if it is not the origin of the link
 */
export async function openSubjectForms(
  url: string,
  type: SubjectType,
  { address = new URL(url).origin }: { address?: string } = {},
): Promise<SubjectForms> {
  const ask = ({ pathname, search }: URL, init: RequestInit) =>
    fetch(new URL(pathname + search, address), { ...init, redirect: 'manual' });
  const opened = await ask(new URL(url), {});
  const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0];
  const location = opened.headers.get('location');
  if (cookie === undefined || location === null) throw new Error(`the link was answered with ${opened.status}`);
  const first = new URL(location, url);
  // A redo of one screen begins on the screen itself.
  const [, path = first.pathname, screen = ''] = /^(.*\/verify\/[^/]+)\/([^/]+)$/.exec(first.pathname) ?? [];
  const base = new URL(path, first);
  let slug = screen;

  const addressOf = (page: string) => (page === '' ? base : new URL(`${base.pathname}/${page}`, base));
  const request = (page: string, init: RequestInit = {}) =>
    ask(addressOf(page), {
      ...init,
      headers: { Cookie: cookie, Origin: base.origin, 'Accept-Language': 'en' },
    });
  const get = (page: string = slug) => request(page);
  const post = (page: string, body: URLSearchParams | FormData) => request(page, { method: 'POST', body });

  /** Follows a redirect. @throws when the response is not a redirect */
  function follow({ status, headers }: Response): void {
    const next = headers.get('location');
    if (next === null) throw new Error(`${slug} was answered with ${status}`);
    slug = new URL(next, base).pathname.slice(base.pathname.length + 1);
  }

  async function resume(): Promise<void> {
    const page = await (await get('')).text();
    // The first page has a form of its own, or a button that leads to the next one.
    const form = /<form id="page-form" method="post" action="([^"]+)"/.exec(page)?.[1];
    // Servers up to 0.3 write the class `main-action` alone.
    const next = form ?? /href="([^"]+)" class="(?:button )?main-action"/.exec(page)?.[1];
    if (next !== undefined) slug = new URL(next, base).pathname.slice(base.pathname.length + 1);
  }

  async function upload(page: string, content: Blob): Promise<Response> {
    const file = await newFile(content, base.pathname);
    const body = new FormData();
    body.set('file', file, file instanceof File ? file.name : 'picture');
    return post(page, body);
  }

  /** Confirms the file that the page shows. */
  async function confirm(): Promise<Response> {
    const shown = await (await get()).text();
    const fileId = /name="fileId" value="([^"]+)"/.exec(shown)?.[1];
    if (fileId === undefined) throw new Error(`${slug} does not show the file`);
    return post(slug, new URLSearchParams({ fileId }));
  }

  /** Uploads a file if the page asks for one or refuses to keep the earlier one, and confirms the file that the page shows. */
  async function takeFile(content: () => Blob | null): Promise<void> {
    const isAsked = (await (await get()).text()).includes('type="file"');
    const file = isAsked ? content() : null;
    if (isAsked && file === null) return follow(await post(slug, new URLSearchParams({ fileId: '' })));
    if (file !== null) follow(await upload(slug, file));
    let answer = await confirm();
    const other = answer.status === 409 ? content() : null;
    if (other !== null) {
      follow(await upload(slug, other));
      answer = await confirm();
    }
    follow(answer);
  }

  async function next({ answers = {}, file }: SubjectContent): Promise<string> {
    const typed = typedOn(type, slug, answers);
    if (slug === '') await resume();
    else if (typed === undefined) await takeFile(() => file(slug));
    else follow(await post(slug, new URLSearchParams(typed ?? {})));
    return slug;
  }

  return {
    next,
    slug: () => slug,
    session: () => ({ cookie, address: base.href }),
    get,
    post,
    upload,
    async walk(content, until) {
      if (slug === '') await resume();
      for (const seen: string[] = []; slug !== until && slug !== ''; await next(content)) {
        seen.push(slug);
        if (seen.length > MOST_PAGES) throw new Error(`the pages do not end: ${seen.join(' ')}`);
      }
    },
  };
}
