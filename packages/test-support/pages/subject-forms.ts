import type { SubjectType } from '@countersign/domain';
import { ANSWERS, type Typed } from './page-answers.ts';

/** What a subject sends of each kind of page. */
export interface SubjectContent {
  /** Typed in place of the usual answers, by page. */
  readonly answers?: Readonly<Record<string, Typed>>;
  /** The file for a page that asks for one; null goes on without it. A `File` is sent by its name. */
  file(slug: string): Blob | null;
}

/** A subject's session, over plain forms as a browser without JavaScript sends them. */
export interface SubjectForms {
  /** The last part of the present page's address; empty for the page that says how things stand. */
  slug(): string;
  /** Answers the page that is open, and goes on to the next. @returns its slug */
  next(content: SubjectContent): Promise<string>;
  /** Answers page by page until the one named is open, or everything is handed in. */
  walk(content: SubjectContent, until?: string): Promise<void>;
  /** For requests that are made in another way. */
  session(): { readonly cookie: string; readonly address: string };
  get(slug?: string): Promise<Response>;
  /** Posts to a page as its form would. Redirects are not followed. */
  post(slug: string, body: URLSearchParams | FormData): Promise<Response>;
}

/** @param url a `verificationUrl` */
export async function openSubjectForms(url: string, type: SubjectType): Promise<SubjectForms> {
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0];
  const location = opened.headers.get('location');
  if (cookie === undefined || location === null) throw new Error(`the link was answered with ${opened.status}`);
  const base = new URL(location, url);
  let slug = '';

  const addressOf = (page: string) => (page === '' ? base : new URL(`${base.pathname}/${page}`, base));
  const request = (page: string, init: RequestInit = {}) =>
    fetch(addressOf(page), {
      ...init,
      redirect: 'manual',
      headers: { Cookie: cookie, Origin: base.origin, 'Accept-Language': 'en' },
    });
  const get = (page: string = slug) => request(page);
  const post = (page: string, body: URLSearchParams | FormData) => request(page, { method: 'POST', body });

  /** Goes where an answer leads. @throws where it is none that leads on */
  function follow({ status, headers }: Response): void {
    const next = headers.get('location');
    if (next === null) throw new Error(`${slug} was answered with ${status}`);
    slug = new URL(next, base).pathname.slice(base.pathname.length + 1);
  }

  async function resume(): Promise<void> {
    const page = await (await get('')).text();
    const next = /href="([^"]+)" class="main-action"/.exec(page)?.[1];
    if (next !== undefined) slug = new URL(next, base).pathname.slice(base.pathname.length + 1);
  }

  /** Sends a file where the page asks for one, and uses the one that it shows then. */
  async function takeFile(content: () => Blob | null): Promise<void> {
    if ((await (await get()).text()).includes('type="file"')) {
      const file = content();
      if (file === null) return follow(await post(slug, new URLSearchParams({ fileId: '' })));
      const body = new FormData();
      body.set('file', file, file instanceof File ? file.name : 'picture');
      follow(await post(slug, body));
    }
    const shown = await (await get()).text();
    const fileId = /name="fileId" value="([^"]+)"/.exec(shown)?.[1];
    if (fileId === undefined) throw new Error(`${slug} does not show the file`);
    follow(await post(slug, new URLSearchParams({ fileId })));
  }

  async function next({ answers = {}, file }: SubjectContent): Promise<string> {
    const typed = answers[slug] ?? ANSWERS[type][slug];
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
    async walk(content, until) {
      if (slug === '') await resume();
      while (slug !== until && slug !== '') await next(content);
    },
  };
}
