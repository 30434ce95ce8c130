import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Response } from 'playwright-core';
import { expect } from 'vitest';
import { extent } from '../installation/extent.ts';
import { bringChecks, outlineOf, type Rules, violationsOf } from './accessibility.ts';
import { newVisitor, takeSession, type Visitor } from './browser.ts';
import { createLayouts, type Measuring, openMeasuring, type Width } from './layout.ts';

/** Checks pages in both languages, themes and widths, and collects their faults. */
export interface BothLanguages {
  /**
   * Opens a page and checks it.
   * @param status the expected status; default 200
   * @param contentLanguage the expected language of the content; default: that of the reader
   */
  look(path: string, status?: number, contentLanguage?: string): Promise<void>;
  /** Submits a form of the open page and checks the response. */
  post(path: string, fields: FormFields | OfLanguage, status: number): Promise<void>;
  /**
   * `look` and `post` for another state of a page that has been checked, or of a page like it. Only `npm run test:long` runs
   * them, so a request must change nothing that a later check needs.
   */
  readonly inFull: Pick<BothLanguages, 'look' | 'post'>;
  /** Changes the open page with its scripts and checks the result. */
  change(what: string, act: (page: Page) => Promise<unknown>): Promise<void>;
  /** Continues with the session of a subject's link, without checking the page that it leads to. */
  takeSession(link: string): Promise<void>;
  /** Continues with another user's session. */
  signInAs(session: { cookies(): string }): Promise<void>;
  /** Fails with all faults, by page, language, theme and width. */
  expectNothingWrong(): void;
}

/** A file is sent as a text file, which the server refuses. */
export type FormFields = Readonly<Record<string, string | { readonly file: string }>>;

/** Fields by language, for a form that accepts the same fields only once. */
type OfLanguage = (language: string) => FormFields;

const LANGUAGES = { en: 'en-GB', de: 'de-DE' } as const;

interface Look {
  readonly width: Width;
  readonly theme: 'light' | 'dark';
}

const LOOKS: readonly Look[] = [
  { width: 320, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 1280, theme: 'light' },
  { width: 320, theme: 'dark' },
];

/**
 * Checks the outline of each page, and its layout at each width. `npm run test:long` also runs all rules on each page in
 * each look. The short form runs them on new kinds of elements, in the look of the page before, and the rules for colours
 * and space in the other width and theme on elements with new classes: each change makes the browser paint the page again.
 */
const IS_FULL = extent({ full: 1, short: 0 }) === 1;

function oppositeOf({ width, theme }: Look): Look {
  return { width: width === 320 ? 1280 : 320, theme: theme === 'light' ? 'dark' : 'light' };
}

/** The kinds of elements that all rules have checked so far. */
const judgedKinds = new Set<string>();
/** The same without the elements around them: tag, type, role, classes and states. */
const judgedElements = new Set<string>();

const withoutAncestors = (kind: string): string => kind.slice(kind.lastIndexOf('>') + 1);

/** The layouts of all pages so far. */
const layouts = createLayouts();

/** Returns the kinds of elements that no earlier page had, and those of them that are new wherever they are. */
function newAmong(kinds: readonly string[]): { readonly all: string[]; readonly look: string[] } {
  const all = kinds.filter((kind) => !judgedKinds.has(kind));
  const look = all.filter((kind) => !judgedElements.has(withoutAncestors(kind)));
  for (const kind of all) judgedKinds.add(kind);
  for (const kind of look) judgedElements.add(withoutAncestors(kind));
  return { all, look };
}

/** Where to keep a picture of each checked page in each look, to be looked at by a person; unset, none is taken. */
const { PICTURES } = process.env;

async function keepPictures(page: Page, what: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const name = what.replaceAll(/[\da-f]{8}-[-\da-f.]+/g, 'id').replaceAll(/[^\w=-]+/g, '_');
  const size = page.viewportSize();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}_${width}_${colorScheme}.png`), fullPage: true });
    }
  }
  if (size !== null) await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
}

type Language = keyof typeof LANGUAGES;
interface Reader extends Visitor {
  readonly language: string;
  readonly measure: Measuring;
  /** The HTML of the open page in other languages, to be measured with it. */
  readonly others: string[];
  look(): Look;
  /** Sets the width and the theme, unless the page has them already. */
  setLook(look: Partial<Look>): Promise<void>;
}

/** Browsers of one origin, by language. */
export interface Readers {
  /** Opens the browsers of a language, without cookies. One check at a time uses them. */
  of(language: Language): Promise<readonly Reader[]>;
}

/** Keeps one browser for each language: it has compiled axe and the pages' scripts after the first check. */
export function createReaders(origin: string): Readers {
  const opened = new Map<string, Promise<Reader>>();
  async function open(language: string, locale: string): Promise<Reader> {
    // Not a mobile device: mobile browsers zoom out to fit wide pages.
    const visitor = await newVisitor(origin, { screen: 'desktop', locale });
    await bringChecks(visitor.page);
    const measure = await openMeasuring(visitor.context, origin);
    return { ...visitor, language, measure, others: [], ...createLooks(visitor.page) };
  }
  return {
    of(language) {
      const languages = Object.entries(LANGUAGES).filter(([name]) => IS_FULL || name === language);
      return Promise.all(
        languages.map(async ([name, locale]) => {
          const reader = opened.get(name) ?? open(name, locale);
          opened.set(name, reader);
          await (await reader).context.clearCookies();
          return reader;
        }),
      );
    },
  };
}

/** Returns the response that redirected to this one; null if there is none. */
async function redirectTo(response: Response | null): Promise<Response | null> {
  return (await response?.request().redirectedFrom()?.response()) ?? null;
}

/** Whether a refused form has come back: with its errors, so with another title. */
async function showsErrors(page: Page): Promise<boolean> {
  return /^(Error|Fehler):/.test(await page.title());
}

/** Also a change to the same width or theme would make the browser lay out the page again. */
function createLooks(page: Page): Pick<Reader, 'look' | 'setLook'> {
  let now: Look = { width: 1280, theme: 'light' };
  return {
    look: () => now,
    async setLook(change) {
      const { width, theme } = { ...now, ...change };
      if (width !== now.width) await page.setViewportSize({ width, height: 900 });
      if (theme !== now.theme) await page.emulateMedia({ colorScheme: theme });
      now = { width, theme };
    },
  };
}

/**
 * @param readers the browsers of `createReaders`
 * @param onPage called with the request id of each checked page
 */
export function inBothLanguages(
  origin: string,
  readers: readonly Reader[],
  onPage: (requestId: string) => void = () => undefined,
): BothLanguages {
  const wrong: string[] = [];
  const before = new Map(readers.map(({ complaints }) => [complaints, complaints.all().length]));

  async function answered(
    reader: Reader,
    what: string,
    response: Response | null,
    status: number,
    contentLanguage?: string,
  ): Promise<void> {
    if (response?.status() !== status) {
      wrong.push(`${reader.language} ${what}: answered with ${response?.status()} instead of ${status}`);
      return;
    }
    onPage(response.headers()['x-request-id'] ?? '');
    await judge(reader, what, contentLanguage);
  }

  async function judge(
    { page, language, look, setLook, measure, others }: Reader,
    what: string,
    contentLanguage = language,
  ): Promise<void> {
    const tell = (complaint: string) => void wrong.push(`${language} ${what}: ${complaint}`);
    const first = look();
    if (PICTURES !== undefined) await keepPictures(page, `${what} ${language}`, PICTURES);
    const outline = await outlineOf(page);
    if (outline.language !== contentLanguage) tell(`is in ${outline.language}`);
    outline.faults.forEach(tell);
    async function judgeIn(next: Look, rules: Rules, kinds?: readonly string[]): Promise<void> {
      if (kinds?.length === 0) return;
      await setLook(next);
      for (const violation of await violationsOf(page, rules, kinds)) {
        tell(`${next.width} ${next.theme} ${violation}`);
      }
    }
    if (IS_FULL) {
      for (const next of LOOKS) await judgeIn(next, 'all');
    } else {
      const fresh = newAmong(outline.kinds);
      await judgeIn(first, 'all', fresh.all);
      await judgeIn(oppositeOf(first), 'look', fresh.look);
    }
    for (const layout of await measure(page, others.splice(0))) layouts.faultsOf(layout, what).forEach(tell);
  }

  /** Measures the page in the other languages too, unless browsers of their own open it. */
  async function bringOtherLanguages({ context, language, others }: Reader, path: string): Promise<void> {
    if (IS_FULL) return;
    for (const other of Object.keys(LANGUAGES).filter((name) => name !== language)) {
      const headers = { 'Accept-Language': other };
      others.push(await (await context.request.get(origin + path, { headers })).text());
    }
  }

  /** Sends a refused form again, which changes nothing, and measures its page in the other languages as `bringOtherLanguages` does. */
  async function bringOtherAnswers(reader: Reader, path: string, fields: FormFields): Promise<void> {
    const { context, language, others } = reader;
    if (IS_FULL) return;
    const sent = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') sent.append(name, value);
      else sent.append(name, new File([value.file], 'file'));
    }
    const texts = Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const hasFile = texts.length < Object.keys(fields).length;
    for (const other of Object.keys(LANGUAGES).filter((name) => name !== language)) {
      const headers = { 'Accept-Language': other, Origin: origin };
      const answer = await context.request.post(origin + path, {
        headers,
        ...(hasFile ? { multipart: sent } : { form: Object.fromEntries(texts) as Record<string, string> }),
      });
      others.push(await answer.text());
    }
  }

  const forEach = async (act: (reader: Reader) => Promise<void>) => void (await Promise.all(readers.map(act)));

  const checks: BothLanguages['inFull'] = {
    look: (path, status = 200, contentLanguage) =>
      forEach(async (reader) => {
        const response = await reader.page.goto(origin + path);
        await bringOtherLanguages(reader, path);
        await answered(reader, path, response, status, contentLanguage);
      }),
    post: (path, fields, status) =>
      forEach(async (reader) => {
        const sent = typeof fields === 'function' ? fields(reader.language) : fields;
        const response = await sendForm(reader.page, path, sent);
        const redirect = await redirectTo(response);
        // The page that belongs to the form comes by a redirect: the form with its errors, or its confirmation.
        const isBack = redirect !== null && (await showsErrors(reader.page));
        if (redirect !== null && (isBack || status === 200)) onPage(redirect.headers()['x-request-id'] ?? '');
        if (isBack || status >= 400) await bringOtherAnswers(reader, path, sent);
        await answered(reader, `POST ${path}`, response, isBack ? 200 : status);
      }),
  };
  return {
    ...checks,
    inFull: IS_FULL ? checks : { look: async () => undefined, post: async () => undefined },
    change: (what, act) =>
      forEach(async (reader) => {
        const { pathname } = new URL(reader.page.url());
        await act(reader.page);
        await judge(reader, `${pathname}, ${what}`);
      }),
    takeSession: (link) => forEach(({ context }) => takeSession(context, link)),
    signInAs: (session) => forEach(({ context }) => context.addCookies(asKept(session.cookies(), origin))),
    expectNothingWrong() {
      const complaints = readers.flatMap(({ complaints }) => complaints.all().slice(before.get(complaints)));
      expect([...wrong, ...complaints]).toEqual([]);
    },
  };
}

/** Converts a `Cookie` header to the cookies of a browser context. */
function asKept(header: string, url: string): { name: string; value: string; url: string }[] {
  return header.split('; ').map((cookie) => {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    return { name, value, url };
  });
}

/** Submits a form from the open page, with its origin and its content security policy. */
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
