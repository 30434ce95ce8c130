import { atOnce, createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { fillIn } from '@countersign/test-support/browser/fields';
import { change, rowsOf } from '@countersign/test-support/installation/database-file';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { createClock, type SettableClock } from '@countersign/test-support/processes/clock';
import { countersign } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { beforeAll, it } from 'vitest';
import { decideAsInTestMode } from './decide-as-in-test-mode.ts';
import { keepPicture } from './keep-picture.ts';
import { newPerson, type Person, press } from './person.ts';
import { cardFront, ZOE } from './sample-documents.ts';

// Takes pictures of the pages of a client's team and of an operator. All people and keys are fictitious.

const FIRST_DAY = '2026-01-05T08:30:00Z';
const NOW = '2026-03-27T14:20:40Z';

let clock: SettableClock;
let server: ServerProcess;
let bank: string;
let market: string;
let mobility: string;
let insurance: string;
let clara: Person;
let ines: Person;

beforeAll(async () => {
  clock = createClock(FIRST_DAY);
  server = await startServer({ env: { ...clock.env, TRUST_PROXY: '1' } });
  bank = await newClient('Harbour Bank', 'standard', 500);
  const inTeam = { role: 'client', clientId: bank } as const;
  const ofClara = { ...inTeam, name: 'Clara Voss', email: 'clara@harbour-bank.example', address: '198.51.100.24' };
  clara = await newPerson(server, ofClara);
  clock.set('2026-01-19T13:05:00Z');
  market = await newClient('Linden Market', 'enterprise');
  clock.set('2026-02-03T10:40:00Z');
  mobility = await newClient('Kovač Mobility', 'standard');
  clock.set('2026-03-02T16:15:00Z');
  insurance = await newClient('Northwind Insurance', 'standard', 40);
  clock.set(FIRST_DAY);
  const ofInes = { name: 'Ines Duarte', email: 'ines@example.org', address: '203.0.113.9' } as const;
  ines = await newPerson(server, { ...ofInes, role: 'operator' });
});

it('the dashboard', async () => {
  await newKey('Staging', { expiresInDays: '90' });
  await newKey('First backend', { expiresInDays: '' });
  clock.set('2026-02-10T09:00:00Z');
  await clara.comeBack();
  await newKey('Trial of the app', { expiresInDays: '30', permissions: ['verifications:create'] });
  const key = await newKey('Onboarding service', {
    expiresInDays: '365',
    permissions: ['verifications:create', 'verifications:read'],
  });
  await revokeKey('First backend');
  await givenMonth(key);
  clock.set('2026-03-27T07:55:00Z');
  await clara.comeBack();
  const reports = await newKey('Nightly report', { expiresInDays: '', permissions: ['verifications:read'] });
  await createApiClient(server.baseUrl, reports).get();
  await givenDay(key);
  clock.set(NOW);
  await clara.comeBack();

  const { page } = clara;
  await newEndpoint('Onboarding service', 'https://hooks.harbour-bank.example/countersign');
  await clara.open('/dashboard');
  await keepPicture(page, 'dashboard-overview');
  await clara.open('/dashboard/verifications');
  await keepPicture(page, 'dashboard-verifications');
  await clara.open('/dashboard/usage');
  await page.emulateMedia({ colorScheme: 'dark' });
  await keepPicture(page, 'dashboard-usage-dark', { height: 720 });
  await page.emulateMedia({ colorScheme: 'light' });
  await clara.open('/dashboard/keys');
  await keepPicture(page, 'dashboard-keys', { height: 760 });
  await newKey('Mobile app', { expiresInDays: '90', permissions: ['verifications:create'] });
  await page.locator('button[data-copy="new-key"]').click();
  await keepPicture(page, 'dashboard-created-key', { height: 640 });
});

it('the pages of an operator', async () => {
  await use(market, 173);
  await use(mobility, 12);
  await use(insurance, 40);
  const viewer = { name: 'Tom Okafor', email: 'tom@harbour-bank.example', teamRole: 'viewer' } as const;
  const tom = await newPerson(server, { ...viewer, role: 'client', clientId: bank, address: '198.51.100.31' });
  await tom.open('/dashboard/keys');
  // Downloads the export by request, because a download opens no page.
  await clara.page.request.get(`${new URL(clara.page.url()).origin}/dashboard/verifications/export.csv`);

  await ines.comeBack();
  const { page } = ines;
  await ines.open(`/admin/clients/${mobility}/subscription`);
  await fillIn(page.locator('main form'), { status: 'canceled' });
  await press(page);
  await ines.open('/admin');
  await keepPicture(page, 'admin-clients', { height: 640 });
  await ines.open('/admin/audit');
  await keepPicture(page, 'admin-audit');
});

async function newClient(name: string, plan: string, monthlyLimit?: number): Promise<string> {
  const limit = monthlyLimit === undefined ? [] : ['--monthly-limit', String(monthlyLimit)];
  const args = ['client', 'create', '--name', name, '--plan', plan, ...limit];
  return (await countersign<{ id: string }>(args, server.env)).id;
}

/** Creates a key as Clara and returns it from the page. */
async function newKey(
  name: string,
  {
    expiresInDays,
    permissions = ['*'],
  }: { readonly expiresInDays: string; readonly permissions?: readonly string[] },
): Promise<string> {
  const { page } = clara;
  await clara.open('/dashboard/keys/new');
  if (new URL(page.url()).pathname === '/account/confirm') {
    await clara.comeBack();
    await clara.open('/dashboard/keys/new');
  }
  await page.locator('[name=name]').fill(name);
  for (const permission of permissions) await page.locator(`[name=permissions][value="${permission}"]`).check();
  await page.locator(`[name=expiresInDays][value="${expiresInDays}"]`).check();
  await press(page);
  return page.locator('#new-key').inputValue();
}

async function newEndpoint(name: string, url: string): Promise<void> {
  const { page } = clara;
  await clara.open('/dashboard/webhooks/new');
  await page.locator('[name=name]').fill(name);
  await page.locator('[name=url]').fill(url);
  await page.locator('[name=types]').first().check();
  await press(page);
}

async function revokeKey(name: string): Promise<void> {
  const { page } = clara;
  await clara.open('/dashboard/keys');
  const row = page.getByRole('row').filter({ hasText: name });
  await page.goto(new URL((await row.locator('a[href$="/revoke"]').getAttribute('href')) ?? '', page.url()).href);
  await page.locator('[name=name]').fill(name);
  await press(page);
}

/** Verifications per day, indexed by the days ago and repeated every fortnight: fewer at weekends. */
const ON_DAYS = [12, 14, 9, 11, 13, 4, 2, 17, 12, 15, 10, 16, 3, 5];

let customers = 20_100;

/** Creates the verifications of the last 29 days, most of them decided in the following hours. */
async function givenMonth(key: string): Promise<void> {
  const { post } = createApiClient(server.baseUrl, key);
  inTestMode(true);
  for (let ago = 29; ago >= 1; ago -= 1) {
    const day = new Date(Date.parse(NOW) - ago * 86_400_000).toISOString().slice(0, 10);
    clock.set(`${day}T10:00:00Z`);
    const outcomes = await atOnce(ON_DAYS[ago % ON_DAYS.length] ?? 0, async (index) => {
      const outcome = MONTH[(ago + index) % MONTH.length] ?? '';
      await post(withOutcome(outcome));
      return outcome;
    });
    expected += outcomes.filter((outcome) => outcome !== '').length;
    await until(async () => decided() === expected);
  }
  inTestMode(false);
  const later = 'UPDATE verifications SET resolved_at = resolved_at + (rowid * 37 % 200 + 40) * 60000';
  change(server.databaseFile, `${later} WHERE client_id = ? AND resolved_at IS NOT NULL`, bank);
}

const MONTH = ['approved', '', 'approved', 'approved', 'rejected', 'approved', '', 'approved', 'approved'];

let expected = 0;

function decided(): number {
  const sql = 'SELECT count(*) AS n FROM verifications WHERE client_id = ? AND resolved_at IS NOT NULL';
  return Number(rowsOf(server.databaseFile, sql, bank)[0]?.n);
}

/** Creates the verifications of today; some are decided as in test mode, so that their states differ. */
async function givenDay(key: string): Promise<void> {
  const { post, get } = createApiClient(server.baseUrl, key);
  const picture = new Blob([await cardFront(ZOE)], { type: 'image/jpeg' });
  for (const [minute, outcome] of TODAY.entries()) {
    clock.set(new Date(Date.parse('2026-03-27T08:04:00Z') + minute * 23 * 60_000).toISOString());
    if (outcome === 'submitted') {
      const answer = await post({ ...newCustomer(), subjectType: 'kyc' });
      const forms = await openSubjectForms(String(dataOf(answer).verificationUrl), 'kyc');
      await forms.walk({ file: () => picture });
      continue;
    }
    inTestMode(true);
    const id = idOf(await post(withOutcome(outcome)));
    if (outcome !== '') await until(async () => dataOf(await get(`/verifications/${id}`)).status === outcome);
    inTestMode(false);
  }
}

const TODAY = [
  'approved',
  'rejected',
  'approved',
  'approved',
  '',
  'action_needed',
  'approved',
  'submitted',
  'approved',
  '',
  'submitted',
  '',
];

function inTestMode(is: boolean): void {
  decideAsInTestMode(server.databaseFile, bank, is);
}

function withOutcome(outcome: string): Record<string, unknown> {
  return { ...newCustomer(), ...(outcome !== '' && { metadata: { sandboxOutcome: outcome } }) };
}

function newCustomer(): { subjectType: string; subjectReference: string } {
  customers += 1;
  return customers % 6 === 0
    ? { subjectType: 'kyb', subjectReference: `company-${customers % 1_000}` }
    : { subjectType: 'kyc', subjectReference: `customer-${customers}` };
}

async function use(clientId: string, times: number): Promise<void> {
  const args = ['key', 'create', '--client', clientId, '--permissions', 'verifications:create'];
  const { key } = await countersign<{ key: string }>(args, server.env);
  const { post } = createApiClient(server.baseUrl, key);
  await atOnce(times, () => post(newCustomer()));
}
