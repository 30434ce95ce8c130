import type { TeamRole } from '@countersign/domain/staff';
import { expectRefusal, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, press } from '@countersign/test-support/browser/dashboard';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { linesOf, staffIdOf } from '@countersign/test-support/installation/audit-lines';
import { givenApi } from '@countersign/test-support/installation/customer';
import { change, everyRow, rowsOf } from '@countersign/test-support/installation/database-file';
import { operate } from '@countersign/test-support/installation/operator';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { describeWith } from '@countersign/test-support/servers';
import { beforeAll, describe, expect, it } from 'vitest';

const ROLES = ['owner', 'agent', 'viewer'] as const satisfies readonly TeamRole[];
const DAY_MS = 24 * 60 * 60 * 1000;
/** Texts that appear only in the subject's answers. */
const SUBMITTED = ['Núñez-Ødegård', 'ul. Długa 1', 'ABC123456', 'zoe@example.org'];

describeWith(['chromium'], 'a client’s dashboard', () => {
  let site: CountersignSite;
  let file: string;
  const team = {} as Record<TeamRole, StaffForms>;
  /** A submitted verification. */
  let answered: string;
  /** A pending verification, which can be withdrawn. */
  let waiting: string;
  let keyId: string;

  beforeAll(async () => {
    site = await startSite();
    file = site.server.databaseFile;
    const { clientId } = site;
    for (const role of ROLES) team[role] = await newTeamMember(site.server, clientId, role);
    await team.owner.confirm();
    answered = (await site.createAnswered('kyc')).id;
    waiting = (await site.create('kyb')).id;
    keyId = String(rowsOf(file, 'SELECT id FROM api_keys WHERE client_id = ?', clientId)[0]?.id);
  });

  describe.concurrent('shows', () => {
    it.each([true, false])('that the monthly limit is reached (JavaScript: %s)', async (javaScript) => {
      const { api, clientId } = await givenApi(site.server, { monthlyLimit: 2 });
      const agent = await newTeamMember(site.server, clientId, 'agent');
      const { page, complaints } = await atTheDashboard(site, agent, { javaScript });
      await page.goto(`${site.origin}/dashboard/verifications/new`);
      for (const reference of ['one', 'two']) idOf(await api.post(newSubject(reference)));

      expectRefusal(await api.post(newSubject('three')), 403, 'LIMIT_EXCEEDED');
      // The form was open before the limit was reached.
      await page.getByLabel('Subject reference').fill('three');
      await page.locator('[name=subjectType][value=kyc]').check();
      const { lines } = await linesOf(file, () => press(page, 'Create'));
      expect(await wordsOf(page)).toContain('Nothing was created: this month’s limit is reached.');
      expect(await page.getByLabel('Subject reference').inputValue()).toBe('three');
      for (const path of ['/dashboard', '/dashboard/usage']) {
        await page.goto(site.origin + path);
        const words = await wordsOf(page);
        expect(words).toContain('This month’s limit is reached');
        expect(words).toMatch(/Until then the API answers LIMIT_EXCEEDED/);
        expect(await page.locator('meter').getAttribute('value')).toBe('2');
        expect(await page.locator('meter').getAttribute('max')).toBe('2');
      }
      expect(rowsOf(file, 'SELECT id FROM verifications WHERE client_id = ?', clientId)).toHaveLength(2);
      const mine = lines.filter((line) => line.clientId === clientId);
      expect(mine.map(({ action, outcome, detail }) => [action, outcome, detail.code])).toEqual([
        ['verifications.create', 'allowed', undefined],
        ['verifications.create', 'refused', 'LIMIT_EXCEEDED'],
      ]);

      await operate(site.server, ({ clients }) =>
        clients.setSubscription(clientId, { plan: 'standard', monthlyLimit: 3 }),
      );
      await page.goto(`${site.origin}/dashboard/usage`);
      expect(await wordsOf(page)).not.toContain('LIMIT_EXCEEDED');
      expect((await api.post(newSubject('three'))).status).toBe(201);
      complaints.expectNone();
    });

    it('the number of verifications of each day, in the chart and in the table', async () => {
      const { api, clientId } = await givenApi(site.server);
      const ids: string[] = [];
      for (let count = 0; count < 9; count++) ids.push(idOf(await api.post(newSubject(`day ${count}`))));
      const daysAgo = [1, 1, 1, 1, 5, 5, 28, 31];
      for (const [index, days] of daysAgo.entries()) {
        const sql = 'UPDATE verifications SET requested_at = requested_at - ? WHERE id = ?';
        change(file, sql, days * DAY_MS, ids[index] ?? '');
      }
      const viewer = await newTeamMember(site.server, clientId, 'viewer');
      const { page, complaints } = await atTheDashboard(site, viewer);
      await page.goto(`${site.origin}/dashboard/usage`);
      await page.getByText('Show as a table').click();

      const shown = await page.locator('.small-table tbody tr').evaluateAll((rows: TableRow[]) =>
        rows.map((row) => ({
          day: row.querySelector('time')?.getAttribute('datetime') ?? '',
          count: Number(row.querySelector('td')?.textContent),
        })),
      );
      expect(shown).toHaveLength(30);
      const counted = rowsOf(
        file,
        `SELECT date(requested_at / 1000, 'unixepoch') AS day, count(*) AS count FROM verifications
         WHERE client_id = ? GROUP BY 1 HAVING day >= ? ORDER BY 1 DESC`,
        clientId,
        shown.at(-1)?.day ?? '',
      );
      expect(shown.filter(({ count }) => count > 0)).toEqual(counted);
      expect(counted.map(({ count }) => count)).toEqual([1, 4, 2, 1]);

      const heights = await page
        .locator('svg .bar')
        .evaluateAll((bars: TableRow[]) => bars.map((bar) => Number(bar.getAttribute('height'))));
      const highest = Math.max(...heights);
      expect(heights.toReversed().map((height) => Math.round((height / highest) * 4))).toEqual(
        shown.map(({ count }) => count),
      );
      expect(await page.locator('#chart-desc').textContent()).toMatch(/^8 in total\. Most on .*: 4\.$/);
      complaints.expectNone();
    });
  });

  describe('follows the rights of each team role:', () => {
    const allMay = ['/dashboard', '/dashboard/verifications', '/dashboard/usage', '/dashboard/team'];
    const formOfCreation = () => ({ formId: '0'.repeat(32), subjectType: 'kyc', subjectReference: 'forbidden' });

    /** Pages and forms that a viewer may not use. */
    const forAgents = (): Requests => [
      ['GET', '/dashboard/verifications/new'],
      ['POST', '/dashboard/verifications/new', formOfCreation()],
      ['GET', '/dashboard/verifications/export'],
      ['GET', '/dashboard/verifications/export.csv'],
      ['GET', `/dashboard/verifications/${waiting}/withdraw`],
      ['POST', `/dashboard/verifications/${waiting}/withdraw`],
      ['GET', `/dashboard/verifications/${waiting}/renew-link`],
      ['POST', `/dashboard/verifications/${waiting}/renew-link`],
    ];
    const forOwners = (): Requests => [
      ['GET', '/dashboard/requests'],
      ['GET', '/dashboard/keys'],
      ['GET', '/dashboard/keys/new'],
      ['POST', '/dashboard/keys/new', { name: 'Mine', permissions: '*', expiresInDays: '' }],
      ['GET', `/dashboard/keys/${keyId}/revoke`],
      ['POST', `/dashboard/keys/${keyId}/revoke`, { name: 'Mine' }],
      ['GET', `/dashboard/keys/${keyId}/rotate`],
      ['POST', `/dashboard/keys/${keyId}/rotate`, { expiresInDays: '30' }],
      ['GET', '/dashboard/team/invite'],
      ['POST', '/dashboard/team/invite', { email: 'friend@example.org', teamRole: 'owner' }],
      ...['role', 'remove', 'invitation'].flatMap((act): Requests => {
        const path = `/dashboard/team/${staffIdOf(file, team.viewer.email)}/${act}`;
        return [
          ['GET', path],
          ['POST', path, { teamRole: 'owner' }],
        ];
      }),
    ];
    const forOtherAreas = (): Requests => [
      ['GET', '/review'],
      ['GET', `/review/${answered}`],
      ['POST', `/review/${answered}/approve`, { expectedVersion: '1', confirmed: 'yes' }],
      ['GET', '/admin'],
      ['GET', '/admin/audit'],
      ['POST', `/admin/clients/${site.clientId}/return-addresses`, { returnAddresses: '' }],
      ['POST', `/admin/clients/${site.clientId}/subscription`, { plan: 'enterprise', monthlyLimit: '1000000' }],
    ];

    it.each([
      ['viewer', () => [...forAgents(), ...forOwners(), ...forOtherAreas()]],
      ['agent', () => [...forOwners(), ...forOtherAreas()]],
      ['owner', forOtherAreas],
    ] as const)('refuses and audits all other requests of the %s, and changes nothing', async (role, refused) => {
      const forms = team[role];
      const actor = `team_member ${staffIdOf(file, forms.email)}`;
      const before = everyRow(file);
      let recorded = 0;
      for (const [method, path, fields] of refused()) {
        const { result, lines } = await linesOf(file, () =>
          method === 'GET' ? forms.get(path) : forms.post(path, fields),
        );
        expect(result.status, `${method} ${path}`).toBe(403);
        expect(await result.text()).toMatch(
          /Your role does not allow this|This console is for reviewers|operators/,
        );
        // The first refusals have a line each, summaries count the others.
        for (const line of lines) expect(line, `${method} ${path}`).toMatchObject({ outcome: 'refused', actor });
        recorded += lines.length;
      }
      expect(recorded).toBeGreaterThanOrEqual(4);
      expect(everyRow(file)).toEqual(before);
    });

    it.each([
      ['agent', forAgents],
      ['owner', () => [...forAgents(), ...forOwners()]],
    ] as const)('opens every permitted page for the %s', async (role, theirs) => {
      const pages = theirs().filter(([method]) => method === 'GET');
      for (const [, path] of pages) expect((await team[role].get(path)).status, path).toBe(200);
    });

    it.each([
      ['viewer', ['Overview', 'Verifications', 'Usage', 'Team', 'Test mode'], true],
      ['agent', ['Overview', 'Verifications', 'Usage', 'Team', 'Test mode'], false],
      [
        'owner',
        ['Overview', 'Keys', 'API requests', 'Webhooks', 'Verifications', 'Usage', 'Team', 'Test mode'],
        true,
      ],
    ] as const)('shows the %s only the links they may follow', async (role, parts, javaScript) => {
      const { page, complaints } = await atTheDashboard(site, team[role], { javaScript });
      const mayRead = role !== 'viewer';
      for (const path of allMay) {
        expect((await page.goto(site.origin + path))?.status()).toBe(200);
        expect(await page.locator('nav.staff-nav a[href^="/dashboard"]').allInnerTexts()).toEqual(parts);
      }
      expect(await page.getByRole('link', { name: 'Invite a user' }).count()).toBe(role === 'owner' ? 1 : 0);
      await page.goto(`${site.origin}/dashboard/verifications`);
      for (const path of ['new', 'export']) {
        const links = page.locator(`main a[href^="/dashboard/verifications/${path}"]`);
        expect((await links.count()) > 0, path).toBe(mayRead);
      }

      const { lines } = await linesOf(file, () => page.goto(`${site.origin}/dashboard/verifications/${answered}`));
      const html = await page.content();
      for (const text of SUBMITTED) expect(html.includes(text), text).toBe(mayRead);
      expect((await wordsOf(page)).includes('Your role does not include submitted data')).toBe(!mayRead);
      // The audit log records each reading of submitted data.
      expect(lines.map(({ action, targetId }) => [action, targetId])).toEqual(
        mayRead ? [['verifications.read', answered]] : [],
      );
      for (const path of ['/review', '/admin', ...(role === 'owner' ? [] : ['/dashboard/keys'])]) {
        expect((await page.goto(site.origin + path))?.status(), path).toBe(403);
        expect(await wordsOf(page)).toContain(`The ${role}`);
      }
      complaints.expectNone();
    });
  });
});

type Requests = readonly (readonly [method: 'GET' | 'POST', path: string, fields?: Record<string, string>])[];

/** The properties of an element that these tests use; the DOM types are not loaded. */
interface TableRow {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): TableRow | null;
}
