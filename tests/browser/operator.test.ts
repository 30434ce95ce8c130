// The operator's journey in a browser: clients, users and the audit log of both.
import type { AuditFindings } from '@countersign/domain';
import {
  type ApiClient,
  createApiClient,
  expectRefusal,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { newVisitor, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import {
  atTheDashboard,
  confirmIdentity,
  follow,
  press,
  rowOf,
} from '@countersign/test-support/browser/dashboard';
import { fillIn } from '@countersign/test-support/browser/fields';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { setPassword, signIn } from '@countersign/test-support/browser/sign-in';
import { PASSWORD } from '@countersign/test-support/browser/staff';
import { staffIdOf } from '@countersign/test-support/installation/audit-lines';
import { rowsOf } from '@countersign/test-support/installation/database-file';
import type { Typed } from '@countersign/test-support/pages/page-answers';
import { newMember } from '@countersign/test-support/pages/staff-forms';
import { countersign } from '@countersign/test-support/processes/command-line';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

/** The IP address of the operators in these tests. */
const ADDRESS = '198.51.100.7';
/** The last day of a subscription, long after the tests. */
const LAST_DAY = { 'endsAt.day': '30', 'endsAt.month': '6', 'endsAt.year': '2099' };

describeWith(['chromium'], 'an operator', () => {
  let site: CountersignSite;
  const started = Date.now();

  beforeAll(async () => {
    site = await startSite({ TRUST_PROXY: '1' });
  });

  const file = () => site.server.databaseFile;
  const pathOf = (page: Page) => page.url().slice(site.origin.length);
  const open = (page: Page, path: string) => page.goto(site.origin + path);
  const idInPath = (page: Page) => /^\/admin\/[a-z]+\/([^/?]+)/.exec(pathOf(page))?.[1] ?? '';

  async function givenOperator(name: string): Promise<Visitor & { readonly id: string; readonly email: string }> {
    const forms = await newMember(site.server, { role: 'operator', name });
    await forms.confirm();
    const visitor = await atTheDashboard(site, forms);
    await visitor.context.setExtraHTTPHeaders({ 'X-Forwarded-For': ADDRESS });
    return { ...visitor, email: forms.email, id: staffIdOf(file(), forms.email) };
  }

  describe.concurrent('manages', () => {
    it('a client: creation, subscription, first user, limit, usage and test twin', async () => {
      const olga = await newMember(site.server, { role: 'operator', name: 'Olga' });
      const { page, context, complaints } = await newVisitor(site.origin, { screen: 'desktop' });
      await context.setExtraHTTPHeaders({ 'X-Forwarded-For': ADDRESS });
      await open(page, '/admin');
      expect(pathOf(page)).toBe('/account/sign-in?returnTo=%2Fadmin');
      await signIn(page, olga.email, olga.password);

      await follow(page, 'New client');
      expect(pathOf(page)).toMatch(/^\/account\/confirm\?/);
      await confirmIdentity(page, olga.password);
      await fillIn(page.locator('main form'), { name: 'Gamma Bank', plan: 'none' });
      await press(page, 'Create the client');
      expect(await wordsOf(page)).toMatch(/The client is created[\s\S]*No subscription/);
      const clientId = idInPath(page);
      const subscribe = async (typed: Typed) => {
        await open(page, `/admin/clients/${clientId}`);
        await follow(page, 'Change the subscription');
        await fillIn(page.locator('main form'), typed);
        await press(page, 'Save the subscription');
        return wordsOf(page);
      };
      const wanted = { plan: 'standard', monthlyLimit: '2', status: 'active', ...LAST_DAY };
      expect(await subscribe(wanted)).toMatch(
        /The subscription is saved[\s\S]*2, set for this client[\s\S]*30 June 2099/,
      );

      await follow(page, 'Add a user');
      await fillIn(page.locator('main form'), { email: 'gina@gamma.example', name: 'Gina' });
      await press(page, 'Create the user');
      const link = await page.locator('#one-time-link').inputValue();
      await expectOnce(page, link);
      const gina = await newVisitor(site.origin, { screen: 'desktop' });
      const api = await joinAndMakeKey(gina.page, link);

      const create = (reference: string) => api.post(newSubject(reference));
      for (const reference of ['one', 'two']) expect((await create(reference)).status).toBe(201);
      expectRefusal(await create('three'), 403, 'LIMIT_EXCEEDED');
      await subscribe({ monthlyLimit: '3' });
      expect((await create('three')).status).toBe(201);
      expect(await subscribe({ status: 'canceled' })).toContain('Canceled');
      expectRefusal(await create('four'), 403, 'NO_ACTIVE_SUBSCRIPTION');
      await subscribe({ status: 'active', monthlyLimit: '5' });

      await follow(page, 'Usage in detail');
      expect(await wordsOf(page)).toMatch(/Usage of Gamma Bank[\s\S]*3 of 5 verifications/);
      expect(await page.locator('meter').getAttribute('value')).toBe('3');
      expect(await page.locator('#chart-desc').textContent()).toMatch(/^3 in total\./);
      await expectFiguresOfDay(page);

      await follow(page, /^Client$/);
      await follow(page, 'Test mode');
      expect(await wordsOf(page)).toContain('This is the test mode of a client');
      await follow(page, 'Client in live mode');
      expect(pathOf(page)).toBe(`/admin/clients/${clientId}`);

      await expectLinesAbout(page, clientId, staffIdOf(file(), olga.email));
      for (const seen of [complaints, gina.complaints]) seen.expectNone();
    });

    /** Expects the shown link to be gone after a reload and on the list. */
    async function expectOnce(page: Page, link: string): Promise<void> {
      const secret = link.split('/').at(-1) ?? '';
      expect(secret.length).toBeGreaterThan(20);
      await page.reload();
      expect(pathOf(page)).toBe('/admin/users/new');
      // The form is empty: the browser did not submit it again.
      expect(await page.getByLabel('E-mail').inputValue()).toBe('');
      const seen = [await page.content()];
      await open(page, '/admin/users');
      expect(await rowOf(page, 'gina@gamma.example')).toMatch(/Owner[\s\S]*Gamma Bank[\s\S]*Invited/);
      seen.push(await page.content(), site.server.output());
      expect(seen.some((text) => text.includes(secret))).toBe(false);
    }

    /** Joins as a new client's owner, creates a key and returns an API client that uses it. */
    async function joinAndMakeKey(page: Page, link: string): Promise<ApiClient> {
      await page.goto(link);
      await setPassword(page);
      await follow(page, 'Keys');
      await follow(page, 'Create a key');
      await confirmIdentity(page, PASSWORD);
      await fillIn(page.locator('main form'), { name: 'Shop', permissions: '*' });
      await press(page, 'Create the key');
      return createApiClient(site.server.baseUrl, await page.locator('#new-key').inputValue());
    }

    /** Expects the log to list this operator's actions on the client, newest first, with actor, time and address. */
    async function expectLinesAbout(page: Page, clientId: string, actor: string): Promise<void> {
      await open(page, `/admin/clients/${clientId}`);
      await follow(page, 'All activity of this client');
      expect((await linesOn(page)).map(({ what, who }) => [what, who])).toContainEqual([
        'Create a key',
        expect.stringMatching(/^Gina, Client’s staff \S+ from 127\.0\.0\.1$/),
      ]);
      const lines = await filtered(page, { client: clientId, actor });
      expect(lines.map(({ what, detail }) => [what, detail])).toEqual([
        ['Change a subscription', 'status: active; verifications a month: 5'],
        ['Change a subscription', 'status: canceled'],
        ['Change a subscription', 'verifications a month: 3'],
        ['Create a user', expect.stringMatching(/^follows entry: \d+$/)],
        ['Create a user', 'role: client; role in the team: owner'],
        ['Change a subscription', 'plan: standard; verifications a month: 2; ends: 2099-07-01T00:00:00.000Z'],
        ['Create a client', expect.stringMatching(/^follows entry: \d+$/)],
      ]);
      const numbers = lines.map(({ sequence }) => sequence);
      expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
      for (const { who, about, at } of lines) {
        expect([who, about]).toEqual([
          `Olga, Operator ${actor} from ${ADDRESS}`,
          expect.stringMatching(/^(Gina, )?Gamma Bank$/),
        ]);
        expect(at).toBeGreaterThanOrEqual(started);
        expect(at).toBeLessThanOrEqual(Date.now());
      }
    }

    it('a user: promotes a reviewer to operator, then removes the account', async () => {
      const { page, id, complaints } = await givenOperator('Oscar');
      const rita = await newMember(site.server, { role: 'reviewer', name: 'Rita' });
      const ritaId = staffIdOf(file(), rita.email);
      const { page: hers, complaints: herComplaints } = await atTheDashboard(site, rita);
      expect((await open(hers, '/admin'))?.status()).toBe(403);

      await open(page, '/admin/users');
      await follow(page, 'Rita');
      await follow(page, 'Change the role');
      await fillIn(page.locator('main form'), { role: 'operator' });
      await press(page, 'Change the role');
      expect(await wordsOf(page)).toMatch(/The role is changed[\s\S]*Operator/);
      expect((await open(hers, '/admin'))?.status()).toBe(200);

      await follow(page, 'Remove the account');
      const remove = async (email: string) => {
        await page.getByLabel('To confirm, enter the e-mail').fill(email);
        await press(page, 'Remove the account');
        return wordsOf(page);
      };
      expect(await remove('rita')).toContain('Nothing was removed');
      expect((await open(hers, '/admin'))?.status()).toBe(200);
      expect(await remove(rita.email)).toContain('The account is removed');
      await follow(hers, 'Users');
      expect(pathOf(hers)).toBe('/account/sign-in?returnTo=%2Fadmin%2Fusers');
      await signIn(hers, rita.email, rita.password);
      expect(await wordsOf(hers)).toContain('The e-mail address or the password is wrong');

      await expectFilters(page, id, ritaId);
      for (const seen of [complaints, herComplaints]) seen.expectNone();
    });

    /** Filters the log by actor, action and outcome. */
    async function expectFilters(page: Page, id: string, ritaId: string): Promise<void> {
      await open(page, '/admin/audit');
      const entriesFor = async (filter: Typed) =>
        (await filtered(page, filter)).map(({ who, what, target, detail }) => [who, what, target, detail]);
      const oscar = `Oscar, Operator ${id} from ${ADDRESS}`;
      const refused = [oscar, 'Remove a user Refused', ritaId, 'fields: email; code: INVALID_PARAMETERS'];
      expect(await entriesFor({ actor: id, action: 'users.change_role' })).toEqual([
        [oscar, 'Change a user’s role', ritaId, 'role: operator'],
      ]);
      expect(await entriesFor({ actor: id, action: 'users.remove' })).toEqual([
        [oscar, 'Remove a user', ritaId, ''],
        refused,
      ]);
      expect(await entriesFor({ actor: id, outcome: 'refused' })).toEqual([refused]);
      // Entries of a removed user stay, without the name.
      expect(await entriesFor({ actor: ritaId, outcome: 'refused' })).toEqual([
        [`Reviewer ${ritaId} from 127.0.0.1`, 'Request a page or send a form Refused', '', expect.anything()],
      ]);
      expect(await entriesFor({ actor: id, client: site.clientId })).toEqual([]);
      expect(await wordsOf(page)).toContain('No entry matches these filters.');
    }
  });

  /** Submits the filters of the log's page and reads its entries. */
  async function filtered(page: Page, filter: Typed): Promise<readonly Line[]> {
    const everything = { actor: '', client: '', action: '', outcome: '' };
    await fillIn(page.locator('main form.filters'), { ...everything, ...filter });
    await press(page, 'Show');
    return linesOn(page);
  }

  /** Reads the entries on the log's page, from the top. */
  async function linesOn(page: Page): Promise<readonly Line[]> {
    const rows = await page.locator('main tbody tr').evaluateAll((all: TableRow[]) => {
      const wordsIn = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim();
      return all.map((row) => ({
        cells: [...row.children].map((cell) => wordsIn(cell.innerText)),
        at: row.querySelector('time')?.getAttribute('datetime') ?? '',
        facts: [...row.querySelectorAll('dl > div')].map(({ children: [name, value] }) => [
          wordsIn(name?.textContent ?? ''),
          wordsIn(value?.textContent ?? ''),
        ]),
      }));
    });
    return rows.map(({ cells: [action, outcome, , about = ''], at, facts }) => {
      const of: Readonly<Record<string, string>> = Object.fromEntries(facts);
      return {
        sequence: Number(of.Entry),
        at: Date.parse(at),
        who: `${of.User} from ${of['IP address']}`,
        what: [action, outcome].filter(Boolean).join(' '),
        about,
        target: of.About ?? '',
        detail: facts
          .filter(([name = '']) => !ABOUT_ENTRY.includes(name))
          .map((fact) => fact.join(': '))
          .join('; '),
      };
    });
  }

  it('verifies the audit log of all these actions', async () => {
    const findings = await countersign<AuditFindings>(['audit', 'verify'], site.server.env);
    const [row] = rowsOf(file(), 'SELECT count(*) AS entries FROM audit_entries');
    expect(findings).toMatchObject({ outcome: 'intact', entries: row?.entries });
  });
});

/** Expects that the chart shows the figures of its only day while the mouse is over it, or while it has the focus. */
async function expectFiguresOfDay(page: Page): Promise<void> {
  const opacity = (): Promise<string> =>
    page.evaluate<string>("getComputedStyle(document.querySelector('.chart-figures')).opacity");
  expect(await opacity()).toBe('0');
  await page.locator('.chart-stack').hover();
  expect(await opacity()).toBe('1');
  expect(await page.locator('.chart-figures').innerText()).toMatch(/: 3[\s\S]*Approved 0[\s\S]*Undecided 3/);
  await page.locator('h1').hover();
  expect(await opacity()).toBe('0');
  await page.locator('.card details > summary').focus();
  await page.keyboard.press('Shift+Tab');
  expect(await opacity()).toBe('1');
}

/** What every entry says of itself. The other facts are details of its action. */
const ABOUT_ENTRY = ['Entry', 'When', 'User', 'IP address', 'Client', 'About'];

/** An entry on the log's page. */
interface Line {
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly who: string;
  readonly what: string;
  readonly about: string;
  /** The id of what it is about. */
  readonly target: string;
  readonly detail: string;
}

/** The properties of an element that these tests use; the DOM types are not loaded. */
interface TableRow {
  readonly children: Iterable<{ readonly innerText: string }>;
  querySelector(selector: string): { getAttribute(name: string): string | null } | null;
  querySelectorAll(
    selector: string,
  ): Iterable<{ readonly children: Iterable<{ readonly textContent: string | null }> }>;
}
