import type { SubjectType } from '@countersign/domain';
import { type ApiClient, createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { send, sendFile, type, useFile } from '@countersign/test-support/browser/walk';
import { giveContacts } from '@countersign/test-support/installation/operator';
import { pdf } from '@countersign/test-support/pages/pictures';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { createClock, type SettableClock } from '@countersign/test-support/processes/clock';
import { countersign } from '@countersign/test-support/processes/command-line';
import type { Page } from 'playwright-core';
import { beforeAll, it } from 'vitest';
import { keepPicture } from './keep-picture.ts';
import { newPerson, press } from './person.ts';
import { blurred, cardBack, cardFront, selfie, ZOE } from './sample-documents.ts';

// Takes pictures of the subject's pages and the review console for `docs/screenshots`. All people and documents are
// fictitious.

const PHONE = { screen: 'phone', pixelRatio: 2 } as const;
const DESKTOP = { screen: 'desktop' } as const;
const NOW = '2026-03-02T14:20:40Z';
const NOOR = { name: 'Noor Haddad', email: 'noor@example.org', role: 'reviewer', address: '203.0.113.4' } as const;
const CLARA = {
  name: 'Clara Voss',
  email: 'clara@harbour-bank.example',
  role: 'client',
  address: '198.51.100.24',
} as const;

let clock: SettableClock;
let site: CountersignSite;
let clients: Readonly<Record<string, NewClient>>;

beforeAll(async () => {
  clock = createClock('2026-02-26T16:00:00Z');
  site = await startSite(clock.env);
  clients = { bank: await newClient('Harbour Bank'), market: await newClient('Linden Market') };
});

it('the hosted flow', async () => {
  clock.set(NOW);
  const { url } = await created('kyc', 'bank', 'customer-20417');
  const { page } = await newVisitor(site.origin, PHONE);
  await page.goto(url);
  await keepPicture(page, 'flow-start');

  await (await openSubjectForms(url, 'kyc')).walk({ file: fileOf }, 'document-front');
  const desktop = await newVisitor(site.origin, DESKTOP);
  await desktop.page.goto(url);
  await desktop.page.goto(addressOf(desktop.page, 'phone'));
  await desktop.page.getByRole('button', { name: 'Show the code' }).click();
  await desktop.page.getByRole('img', { name: /QR/ }).waitFor();
  await keepPicture(desktop.page, 'phone-hand-over');

  await page.goto(addressOf(page, 'document-front'));
  await sendFile(page, await blurred(cardFront(ZOE)));
  await keepPicture(page, 'picture-warning');
  await useFile(page);

  await (await openSubjectForms(url, 'kyc')).walk({ file: fileOf }, 'details');
  await page.goto(addressOf(page, 'details'));
  await type(page, { 'dateOfBirth.day': '31', 'dateOfBirth.month': '2', 'dateOfBirth.year': '1987' });
  await send(page);
  await keepPicture(page, 'error-summary');

  await (await openSubjectForms(url, 'kyc')).walk({ file: fileOf }, 'check');
  await page.goto(addressOf(page, 'check'));
  await keepPicture(page, 'check-answers');
});

it('the review console and a request for action', async () => {
  const { asked, shown } = await givenQueue();
  const { page: signIn } = await newVisitor(site.origin, DESKTOP);
  await signIn.goto(`${site.origin}/account/sign-in`);
  await signIn.locator('[name=email]').fill(NOOR.email);
  await keepPicture(signIn, 'sign-in', { height: 600 });

  const { page } = await newPerson(site.server, NOOR);
  await caseOf(page, 'company-208').click();
  await page.locator('form[action$="/claim"] button').click();
  await page.goto(`${site.origin}/review`);
  await keepPicture(page, 'review-queue', { height: 600 });

  await caseOf(page, 'customer-20388').click();
  await page.waitForLoadState('networkidle');
  await keepPicture(page, 'review-case');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.keyboard.press('a');
  await keepPicture(page, 'review-case-dark');

  await page.goto(`${site.origin}/review/${asked.id}`);
  await page.locator('#act-ask > summary').click();
  await page.locator('[name="ask.steps"][value="document"]').check();
  await page.locator('[name="ask.document.reasonCode"]').selectOption('document_glare');
  await page.locator('[name="ask.document.note"]').fill('Die Nummer ist nicht zu lesen.');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('#act-ask [data-yes]').click();
  await page.waitForURL(/done=asked/);

  const subject = await newVisitor(site.origin, { ...PHONE, locale: 'de-DE' });
  await subject.page.goto(await linkOf(asked));
  await keepPicture(subject.page, 'action-needed-german');

  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${site.origin}/review/${shown.id}`);
  await page.locator('#act-approve > summary').click();
  for (const box of await page.locator('#act-approve [required]').all()) await box.check();
  await page.locator('#act-approve [data-yes]').click();
  await page.waitForURL(/done=approved/);
  await keepDashboard(shown);
});

/** Takes a picture of the verification as an owner in the client's team sees it. */
async function keepDashboard({ id }: Created): Promise<void> {
  const { page, open, comeBack } = await newPerson(site.server, { ...CLARA, clientId: clients.bank?.id ?? '' });
  await comeBack();
  await open('/dashboard/file-access');
  await page.locator('[name=fileAccess][type=checkbox]').check();
  await press(page);
  await open(`/dashboard/verifications/${id}`);
  await keepPicture(page, 'dashboard-verification');
}

/** Creates cases of several days. Returns the one for the request for action and the one to show. */
async function givenQueue(): Promise<{ asked: Created; shown: Created }> {
  await handedIn('2026-02-26T16:05:00Z', 'kyb', 'bank', 'company-208');
  await handedIn('2026-02-28T08:41:00Z', 'kyc', 'market', 'seller-9914');
  const asked = await handedIn('2026-03-01T19:12:00Z', 'kyc', 'bank', 'customer-20402');
  const shown = await handedIn('2026-03-02T09:30:00Z', 'kyc', 'bank', 'customer-20388', {
    document: { type: 'id_card', issuingCountry: 'PL' },
    'document-details': {
      number: 'ABC123456',
      'expiresOn.day': '31',
      'expiresOn.month': '1',
      'expiresOn.year': '2033',
    },
    nationality: { 'nationalities.0': 'PL', nationalIdNumber: '44051401358' },
  });
  await handedIn('2026-03-02T13:55:00Z', 'kyb', 'market', 'shop-77');
  clock.set(NOW);
  return { asked, shown };
}

interface NewClient {
  readonly id: string;
  readonly api: ApiClient;
}

/** Creates a client with commands, which use the server's clock. */
async function newClient(name: string): Promise<NewClient> {
  const { env, baseUrl } = site.server;
  const { id } = await countersign<{ id: string }>(
    ['client', 'create', '--name', name, '--plan', 'standard'],
    env,
  );
  const { key } = await countersign<{ key: string }>(['key', 'create', '--client', id, '--permissions', '*'], env);
  await giveContacts(site.server, id, `${name.toLowerCase().replace(' ', '-')}.example`);
  return { id, api: createApiClient(baseUrl, key) };
}

interface Created {
  readonly id: string;
  readonly url: string;
  readonly client: string;
}

async function created(subjectType: SubjectType, client: string, subjectReference: string): Promise<Created> {
  const answer = await clients[client]?.api.post({ subjectType, subjectReference });
  if (answer === undefined) throw new Error(`no client ${client}`);
  return { id: idOf(answer), url: String(dataOf(answer).verificationUrl), client };
}

async function handedIn(
  at: string,
  type: SubjectType,
  client: string,
  reference: string,
  answers: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Promise<Created> {
  clock.set(at);
  const made = await created(type, client, reference);
  await (await openSubjectForms(made.url, type)).walk({ file: fileOf, answers });
  return made;
}

/** Returns the current link. */
async function linkOf({ id, client }: Created): Promise<string> {
  const answer = await clients[client]?.api.get(`/verifications/${id}`);
  if (answer === undefined) throw new Error(`no client ${client}`);
  return String(dataOf(answer).verificationUrl);
}

function addressOf(page: Page, slug: string): string {
  const [, verify, id] = new URL(page.url()).pathname.split('/');
  return `${site.origin}/${verify}/${id}/${slug}`;
}

const pictures: Record<string, Blob> = {};

function fileOf(slug: string): Blob {
  const file = pictures[slug] ?? pictures['document-front'];
  if (file === undefined) throw new Error('The pictures are not drawn yet');
  return file;
}

beforeAll(async () => {
  const jpeg = async (drawn: Promise<Buffer>) => new Blob([await drawn], { type: 'image/jpeg' });
  pictures['document-front'] = await jpeg(cardFront(ZOE));
  pictures['document-back'] = await jpeg(cardBack(ZOE));
  pictures.selfie = await jpeg(selfie(ZOE));
  pictures['registration-extract'] = new Blob([pdf('Extract')], { type: 'application/pdf' });
});

/** The link to the case of a subject, whose row has the reference below the name. */
function caseOf(page: Page, reference: string) {
  return page.getByRole('row').filter({ hasText: reference }).locator('[data-case]');
}
