import type { SubjectType, Verification } from '@countersign/domain';
import { currentStepOf } from '@countersign/domain/flows';
import type { Storage } from '@countersign/domain/storage';
import type { Typed } from '@countersign/test-support/pages/page-answers';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { TYPED, TYPED_BY_PAGE, withoutSwitched } from './flow-answers.ts';
import { createSubjectBrowser, type Shown, type SubjectBrowser } from './subject-browser.ts';
import { BASE, givenSubjectSite, type SubjectSite, type SubjectSiteOptions } from './subject-site.ts';

/** A new verification and a browser that has not opened its link yet. */
export interface GivenFlow extends SubjectSite {
  readonly browser: SubjectBrowser;
  readonly type: SubjectType;
  /** What a subject types, by the slug of a screen. */
  readonly typed: Readonly<Partial<Record<string, Typed>>>;
  /** Returns the current link, with the base path and without the origin. */
  link(): Promise<string>;
  anotherBrowser(): SubjectBrowser;
  /** Returns the address of a page of the verification. */
  address(slug?: string): string;
  /** Opens the link and the first screen: by the button of the first page, or by the address of its form. */
  start(browser?: SubjectBrowser): Promise<Shown>;
  read(): Promise<Verification>;
  /** Makes the storage answer subjects with this fault from now on; with `commit`, only writes. */
  breakStorage(fault: Error, only?: 'commit'): void;
  /** Runs a function between the read and the write of the next change. */
  beforeNextCommit(run: () => Promise<unknown>): void;
}

export async function givenFlow(
  options: Pick<SubjectSiteOptions, 'type' | 'creation' | 'flowVersion' | 'asksAll' | 'reader' | 'missing'> & {
    language?: string | undefined;
  } = {},
): Promise<GivenFlow> {
  const { type = 'kyc', language = 'en', creation, flowVersion, asksAll = true, reader, missing = [] } = options;
  let broken: { fault: Error; only?: 'commit' | undefined } | undefined;
  let between: (() => Promise<unknown>) | undefined;
  const verifications = (stored: Storage['verifications']): Storage['verifications'] => ({
    ...stored,
    findForAnyClient: (verificationId) =>
      broken === undefined || broken.only === 'commit'
        ? stored.findForAnyClient(verificationId)
        : Promise.reject(broken.fault),
    async commit(change) {
      if (broken !== undefined) throw broken.fault;
      const run = between;
      between = undefined;
      await run?.();
      return stored.commit(change);
    },
  });
  const site = await givenSubjectSite({
    type,
    flowVersion,
    asksAll,
    reader,
    missing,
    verifications,
    ...(creation !== undefined && { creation }),
  });
  const { app, countersign, id } = site;
  const typed = (flowVersion === 1 ? TYPED_BY_PAGE : TYPED)[type];
  const anotherBrowser = () => createSubjectBrowser(app, BASE, { language });
  const browser = anotherBrowser();
  const link = async () => `${BASE}/verify/${await site.reference()}`;

  return {
    ...site,
    browser,
    type,
    typed: asksAll ? typed : withoutSwitched(type, typed),
    link,
    anotherBrowser,
    breakStorage: (fault, only) => {
      broken = { fault, only };
    },
    beforeNextCommit: (run) => {
      between = run;
    },
    address: (slug) => `${BASE}/verify/${id}${slug === undefined ? '' : `/${slug}`}`,
    async start(in_ = browser) {
      const first = await in_.open(await link());
      // A redo of one thing opens directly on its screen.
      if (slugOf(first) !== '') return first;
      const next = first.document.querySelector('.main-action')?.getAttribute('href');
      return in_.open(next ?? first.document.querySelector('#page-form')?.getAttribute('action') ?? '');
    },
    async read() {
      const { access } = await countersign.subject.open(await site.reference());
      return countersign.subject.read(access);
    },
  };
}

/** Answers the page with test data, or uploads and confirms a picture. */
export async function takePage(given: GivenFlow, page: Shown): Promise<Shown> {
  const { browser } = given;
  const slug = slugOf(page);
  const typed = given.typed[slug];
  if (typed !== undefined) return browser.submit(page, typed);
  if (page.document.querySelector('form[enctype]') === null) {
    const next = await browser.submit(page);
    // A redo that keeps its files is refused once: a new one is sent.
    return next.document.querySelector('form[enctype]') !== null && next.errors.length > 0
      ? takePage(given, next)
      : next;
  }
  const taken = await browser.upload(page, newJpeg());
  return browser.submit(taken);
}

/** Answers page by page until no form is left, or until the page `until`. */
export async function walk(
  given: GivenFlow,
  from: Shown,
  until?: string,
): Promise<{ end: Shown; progress: readonly number[] }> {
  let page = from;
  const progress: number[] = [];
  for (let pages = 0; pages < PAGES_MAX && slugOf(page) !== until; pages += 1) {
    if (page.document.querySelector('main form') === null) return { end: page, progress };
    progress.push(currentStepOf(await given.read()));
    const next = await takePage(given, page);
    if (next.status !== 200) throw new Error(`${page.address}: ${JSON.stringify(next.errors)} ${next.heading}`);
    page = next;
  }
  return { end: page, progress };
}

const PAGES_MAX = 50;

function slugOf({ address }: Shown): string {
  return address.split('?')[0]?.split('/')[3] ?? '';
}
