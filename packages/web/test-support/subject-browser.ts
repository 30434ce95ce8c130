import type { Typed } from '@countersign/test-support/pages/page-answers';
import type { Hono } from 'hono';
import { type PageDocument, type PageElement, pageDocument } from './page-document.ts';

/** A page as a browser without JavaScript shows it. */
export interface Shown {
  readonly status: number;
  /** Status of the first response: 303 for a page that a form redirected to. */
  readonly answered: number;
  readonly headers: Headers;
  readonly html: string;
  readonly document: PageDocument;
  /** Path and query. */
  readonly address: string;
  /** The heading of the page. */
  readonly heading: string;
  /** Links of the error summary, with their targets. */
  readonly errors: readonly { readonly message: string; readonly target: string }[];
}

/** A browser without JavaScript: keeps cookies, follows redirects and submits forms as the page defines them. */
export interface SubjectBrowser {
  open(address: string, headers?: Record<string, string>): Promise<Shown>;
  /** Fills in the page's main form and submits it with `button`, by default the last. Throws for an unknown field name. */
  submit(page: Shown, typed?: Typed, button?: { name: string; value: string }): Promise<Shown>;
  /** Uploads a file with the page's form. */
  upload(page: Shown, content: Uint8Array): Promise<Shown>;
  /** All pages shown so far. */
  readonly seen: readonly Shown[];
}

const ORIGIN = 'https://verify.example';
const REDIRECTS_MAX = 5;

export function createSubjectBrowser(
  app: Hono,
  basePath: string,
  preferences: { language?: string } = {},
): SubjectBrowser {
  const { language = 'en' } = preferences;
  const cookies = new Map<string, { value: string; path: string }>();
  const seen: Shown[] = [];

  function cookiesFor(path: string): string {
    return [...cookies]
      .filter(([, cookie]) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')))
      .map(([key, { value }]) => `${key.split('@')[0]}=${value}`)
      .join('; ');
  }

  function keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /; Path=([^;]+)/.exec(line)?.[1] ?? '/';
      cookies.set(`${name}@${path}`, { value, path });
    }
  }

  async function request(address: string, init: RequestInit = {}): Promise<Shown> {
    let at = address;
    let options = init;
    let answered: number | undefined;
    for (let redirects = 0; redirects < REDIRECTS_MAX; redirects += 1) {
      const { pathname } = new URL(at, ORIGIN);
      if (!pathname.startsWith(`${basePath}/`)) throw new Error(`${at} is not below ${basePath}`);
      const headers = new Headers(options.headers);
      headers.set('Accept-Language', headers.get('Accept-Language') ?? language);
      headers.set('Cookie', cookiesFor(pathname));
      const response = await app.request(at.slice(basePath.length), { ...options, headers });
      keep(response);
      answered ??= response.status;
      const location = response.headers.get('Location');
      if (location === null) return show(response, answered, at);
      at = location;
      options = {};
    }
    throw new Error(`${address} does not stop redirecting`);
  }

  async function show(response: Response, answered: number, address: string): Promise<Shown> {
    const html = await response.text();
    const document = pageDocument(html);
    const shown = {
      status: response.status,
      answered,
      headers: response.headers,
      html,
      document,
      address: address.slice(basePath.length),
      heading: text(document.querySelector('h1')),
      // A template is for scripts: it is not part of the page.
      errors: [...document.querySelectorAll('.error-summary:not(template *) li a')].map((link) => ({
        message: text(link),
        target: (link.getAttribute('href') ?? '').slice(1),
      })),
    };
    seen.push(shown);
    return shown;
  }

  // A navigation: an answer to a form is a page in the history.
  const own = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate', Origin: ORIGIN };

  return {
    seen,
    open: (address, headers = {}) => request(address, { headers }),
    submit(page, typed = {}, button) {
      const form = formOf(page, 'main form:not([enctype])');
      const fields = filledIn(form, typed);
      const pressed = button ?? lastButton(form);
      if (pressed !== null) fields.append(pressed.name, pressed.value);
      return request(form.getAttribute('action') ?? '', { method: 'POST', headers: own, body: fields });
    },
    upload(page, content) {
      const form = formOf(page, 'main form[enctype="multipart/form-data"]');
      const body = new FormData();
      body.append('file', new File([Uint8Array.from(content)], 'picture.jpg', { type: 'image/jpeg' }));
      return request(form.getAttribute('action') ?? '', { method: 'POST', headers: own, body });
    },
  };
}

function formOf(page: Shown, selector: string): PageElement {
  const form = page.document.querySelector(selector);
  if (form === null) throw new Error(`${page.address} (${page.heading}, ${page.status}) has no form ${selector}`);
  return form;
}

/** Returns the form's fields with the typed values. */
function filledIn(form: PageElement, typed: Typed): URLSearchParams {
  const fields = new URLSearchParams();
  const names = new Set<string>();
  for (const field of form.querySelectorAll('input, select, textarea')) {
    const name = field.getAttribute('name') ?? '';
    if (name === '' || names.has(name)) continue;
    names.add(name);
    const value = typed[name] ?? currentValue(form, field, name);
    if (value !== null) fields.append(name, value);
  }
  const unknown = Object.keys(typed).filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`The form has no ${unknown.join(', ')}, only ${[...names].join(', ')}`);
  return fields;
}

function currentValue(form: PageElement, field: PageElement, name: string): string | null {
  const type = field.getAttribute('type');
  if (type === 'radio' || type === 'checkbox') {
    const checked = form.querySelector(`input[name="${name}"][checked]`);
    return checked?.getAttribute('value') ?? null;
  }
  if (field.tagName === 'SELECT') return field.querySelector('option[selected]')?.getAttribute('value') ?? '';
  return field.tagName === 'TEXTAREA' ? (field.textContent ?? '') : (field.getAttribute('value') ?? '');
}

function lastButton(form: PageElement): { name: string; value: string } | null {
  const button = [...form.querySelectorAll('button[type="submit"]')].at(-1);
  const name = button?.getAttribute('name') ?? null;
  return name === null ? null : { name, value: button?.getAttribute('value') ?? '' };
}

function text(element: PageElement | null): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
