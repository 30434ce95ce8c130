import type { Page, Response } from 'playwright-core';
import { expect } from 'vitest';
import { extent } from '../installation/extent.ts';
import { bringRules, kindsOfParts, outlineFaultsOf, tooWide, violationsOf } from './accessibility.ts';
import { newVisitor, type Visitor } from './browser.ts';

/** Looks at pages in both languages and in every look, and keeps what is wrong with them. */
export interface BothLanguages {
  /** Opens a page and looks at it. @param status what it must be answered with; left out: 200 */
  look(path: string, status?: number): Promise<void>;
  /** Sends a form of the page that is open, and looks at what comes back. */
  post(path: string, fields: FormFields | OfLanguage, status: number): Promise<void>;
  /** Does something on the page that is open, as scripts make possible, and looks at what it has become. */
  change(what: string, act: (page: Page) => Promise<unknown>): Promise<void>;
  /** Opens an address that sets a session. It is not looked at. */
  visit(address: string): Promise<void>;
  /** Goes on in the session of somebody else. */
  signInAs(session: { cookies(): string }): Promise<void>;
  /** Fails with all that was wrong, by page, language and look. */
  expectNothingWrong(): void;
}

/** A file is sent as text: good for being refused. */
export type FormFields = Readonly<Record<string, string | { readonly file: string }>>;

/** For what can be sent only once: `test:long` sends it in each language. */
type OfLanguage = (language: string) => FormFields;

const LANGUAGES = { en: 'en-GB', de: 'de-DE' } as const;

interface Look {
  readonly width: 320 | 1280;
  readonly theme: 'light' | 'dark';
}

const LOOKS: readonly Look[] = [
  { width: 320, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 1280, theme: 'light' },
  { width: 320, theme: 'dark' },
];

/**
 * `npm run test:long` runs all rules on every page in every look. The short form runs all rules in the first look and the
 * rules of colours and room in the second, on pages with a kind of part that no page before had; other pages are checked
 * for their outline and their width.
 */
const IN_FULL: number = extent({ full: 4, short: 1 });
const IS_FULL = IN_FULL > 1;
const LOOKED_AT: readonly Look[] = LOOKS.slice(0, extent({ full: 4, short: 2 }));

/** The kinds of parts that were judged by all rules so far. */
const judgedKinds = new Set<string>();

async function hasNewKind(page: Page): Promise<boolean> {
  const fresh = (await kindsOfParts(page)).filter((kind) => !judgedKinds.has(kind));
  for (const kind of fresh) judgedKinds.add(kind);
  return fresh.length > 0;
}

/**
 * Opens what is folded up, and leaves of a long list that drops down its beginning: nothing of it is to be seen, and the
 * rules take most of their time with all the countries there are.
 */
const UNFOLD = `
  for (const part of document.querySelectorAll('details')) part.open = true;
  for (const option of document.querySelectorAll('select option:nth-child(n + 4)')) option.remove();`;

/**
 * @param language the one that the short form looks in
 * @param onPage told the id of each request that was answered with what is looked at
 */
export async function inBothLanguages(
  origin: string,
  language: keyof typeof LANGUAGES,
  onPage: (requestId: string) => void = () => undefined,
): Promise<BothLanguages> {
  const wrong: string[] = [];
  const languages = Object.entries(LANGUAGES).filter(([name]) => IS_FULL || name === language);
  const readers = await Promise.all(
    languages.map(async ([language, locale]) => ({
      language,
      // No phone is imitated: those make room for what is too wide.
      ...(await newVisitor(origin, { screen: 'desktop', locale })),
    })),
  );
  type Reader = Visitor & { readonly language: string };

  async function answered(reader: Reader, what: string, response: Response | null, status: number): Promise<void> {
    if (response?.status() !== status) {
      wrong.push(`${reader.language} ${what}: answered with ${response?.status()} in place of ${status}`);
      return;
    }
    onPage(response.headers()['x-request-id'] ?? '');
    await judge(reader, what);
  }

  async function judge({ page, language }: Reader, what: string): Promise<void> {
    const tell = (complaint: string) => void wrong.push(`${language} ${what}: ${complaint}`);
    const found = await page.evaluate<string>('document.documentElement.lang');
    if (found !== language) tell(`is in ${found}`);
    await page.setViewportSize({ width: 320, height: 900 });
    for (const part of await tooWide(page)) tell(part);
    await page.evaluate(UNFOLD);
    if (!((await hasNewKind(page)) || IS_FULL)) {
      for (const part of await tooWide(page)) tell(`unfolded, ${part}`);
      for (const fault of await outlineFaultsOf(page)) tell(fault);
      return;
    }
    await bringRules(page);
    for (const [index, { width, theme }] of LOOKED_AT.entries()) {
      const rules = index < IN_FULL ? 'all' : 'look';
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      for (const part of await tooWide(page)) tell(`unfolded, ${part}`);
      for (const violation of await violationsOf(page, rules)) tell(`${width} ${theme} ${violation}`);
    }
  }

  const forEach = async (act: (reader: Reader) => Promise<void>) => void (await Promise.all(readers.map(act)));

  return {
    look: (path, status = 200) =>
      forEach(async (reader) => answered(reader, path, await reader.page.goto(origin + path), status)),
    post: (path, fields, status) =>
      forEach(async (reader) => {
        const sent = typeof fields === 'function' ? fields(reader.language) : fields;
        await answered(reader, `POST ${path}`, await sendForm(reader.page, path, sent), status);
      }),
    change: (what, act) =>
      forEach(async (reader) => {
        const { pathname } = new URL(reader.page.url());
        await act(reader.page);
        await judge(reader, `${pathname}, ${what}`);
      }),
    visit: (address) => forEach(async ({ page }) => void (await page.goto(address))),
    signInAs: (session) => forEach(({ context }) => context.addCookies(asKept(session.cookies(), origin))),
    expectNothingWrong() {
      const complaints = readers.flatMap((reader) => reader.complaints.all());
      expect([...wrong, ...complaints]).toEqual([]);
    },
  };
}

/** A `Cookie` header as a browser keeps what is in it. */
function asKept(header: string, url: string): { name: string; value: string; url: string }[] {
  return header.split('; ').map((cookie) => {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    return { name, value, url };
  });
}

/** As the page that is open would send it: from its own origin, under its own policy. */
async function sendForm(page: Page, path: string, fields: FormFields): Promise<Response | null> {
  const answered = page.waitForNavigation();
  await page.evaluate(`(${submitIn})(${JSON.stringify({ path, fields })})`);
  return answered;
}

/** Runs in the page. */
const submitIn = `({ path, fields }) => {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = path;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.name = name;
    if (typeof value === 'string') input.value = value;
    else {
      form.enctype = 'multipart/form-data';
      input.type = 'file';
      const files = new DataTransfer();
      files.items.add(new File([value.file], 'file'));
      input.files = files.files;
    }
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}`;
