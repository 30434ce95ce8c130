import {
  type Countersign,
  createCountersign,
  currentStepOf,
  type Storage,
  type SubjectType,
  type Verification,
} from '@countersign/domain';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryEvidenceStore,
  createMemoryRateLimiter,
  createMemoryStorage,
  createTrustingIntake,
  type FixedClock,
} from '@countersign/memory';
import type { Hono } from 'hono';
import { createWeb } from '../src/web.tsx';
import { TYPED } from './flow-answers.ts';
import { createSubjectBrowser, type Shown, type SubjectBrowser } from './subject-browser.ts';
import { jpeg } from './upload-body.ts';

const ORIGIN = 'https://verify.example';
const BASE = '/countersign';

/** A verification that was just created, and a browser that has not opened its link yet. */
export interface GivenFlow {
  readonly app: Hono;
  readonly browser: SubjectBrowser;
  readonly clock: FixedClock;
  readonly countersign: Countersign;
  readonly type: SubjectType;
  readonly id: string;
  readonly faults: readonly unknown[];
  /** Which routes answered, by their templates. */
  readonly routes: readonly string[];
  /** The link as it is now, with the base path and without the origin. */
  link(): Promise<string>;
  anotherBrowser(): SubjectBrowser;
  /** The address of a page of the verification. */
  address(slug?: string): string;
  /** Opens the link and follows the first page's button. */
  start(browser?: SubjectBrowser): Promise<Shown>;
  read(): Promise<Verification>;
  /** From now on the storage answers subjects with this fault; with `commit`, only what is written. */
  breakStorage(fault: Error, only?: 'commit'): void;
  /** Does something between the next change's reading and its writing. */
  beforeNextCommit(act: () => Promise<unknown>): void;
}

export async function givenFlow(options: { type?: SubjectType; language?: string } = {}): Promise<GivenFlow> {
  const { type = 'kyc', language = 'en' } = options;
  const clock = createFixedClock();
  const secrets = createCountingSecrets();
  const storage = createMemoryStorage();
  let broken: { fault: Error; only?: 'commit' | undefined } | undefined;
  let between: (() => Promise<unknown>) | undefined;
  const verifications: Storage['verifications'] = {
    ...storage.verifications,
    findForAnyClient: (verificationId) =>
      broken === undefined || broken.only === 'commit'
        ? storage.verifications.findForAnyClient(verificationId)
        : Promise.reject(broken.fault),
    async commit(change) {
      if (broken !== undefined) throw broken.fault;
      const act = between;
      between = undefined;
      await act?.();
      return storage.verifications.commit(change);
    },
  };
  const countersign = createCountersign(
    {
      storage: { ...storage, verifications },
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: createCountingIds(),
      secrets,
      evidence: { store: createMemoryEvidenceStore(), intake: createTrustingIntake() },
    },
    { publicBaseUrl: ORIGIN + BASE },
  );
  const { client } = await countersign.clients.create({ name: 'Acme Bank', plan: 'standard' });
  const key = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(key.value);
  const { verification } = await countersign.verifications.create(principal, {
    subjectType: type,
    subjectReference: 'user_1',
  });
  const { id } = verification;
  const faults: unknown[] = [];
  const routes: string[] = [];
  const app = createWeb({
    countersign,
    signIn: {
      signInPath: '/account/sign-in',
      signOutPath: '/account/sign-out',
      confirmPath: '/account/confirm',
      identify: async () => null,
      nameOf: async () => null,
    },
    secrets,
    clock,
    publicBaseUrl: ORIGIN + BASE,
    clientAddress: () => '192.0.2.1',
    onFault: (fault) => void faults.push(fault),
    onResponse: ({ method, path }) => void routes.push(`${method} ${path}`),
  });
  const anotherBrowser = () => createSubjectBrowser(app, BASE, { language });
  const browser = anotherBrowser();

  async function link(): Promise<string> {
    const { verificationUrl } = await countersign.verifications.get(principal, id);
    return verificationUrl.slice(ORIGIN.length);
  }

  return {
    app,
    browser,
    clock,
    countersign,
    type,
    id,
    faults,
    routes,
    link,
    anotherBrowser,
    breakStorage: (fault, only) => {
      broken = { fault, only };
    },
    beforeNextCommit: (act) => {
      between = act;
    },
    address: (slug) => `${BASE}/verify/${id}${slug === undefined ? '' : `/${slug}`}`,
    async start(in_ = browser) {
      const first = await in_.open(await link());
      return in_.open(first.document.querySelector('.main-action')?.getAttribute('href') ?? '');
    },
    async read() {
      const url = await link();
      const { access } = await countersign.subject.open(url.slice(url.lastIndexOf('/') + 1));
      return countersign.subject.read(access);
    },
  };
}

/** Answers the page shown as the test data says: types, or sends a picture and uses it. */
export async function takePage({ browser, type }: GivenFlow, page: Shown): Promise<Shown> {
  const slug = slugOf(page);
  const typed = TYPED[type][slug];
  if (typed !== undefined) return browser.submit(page, typed);
  if (page.document.querySelector('form[enctype]') === null) return browser.submit(page);
  const taken = await browser.upload(page, jpeg());
  return browser.submit(taken);
}

/** Goes on from page to page until there is no form any more, or until a page is reached. */
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
