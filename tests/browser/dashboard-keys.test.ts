// Issues keys in a browser, with scripts and without them.
import { createApiClient } from '@countersign/test-support/api/api-client';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import {
  atTheDashboard,
  confirmIdentity,
  follow,
  press,
  rowOf,
} from '@countersign/test-support/browser/dashboard';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { setPassword } from '@countersign/test-support/browser/sign-in';
import { PASSWORD } from '@countersign/test-support/browser/staff';
import { auditLines } from '@countersign/test-support/installation/audit-lines';
import { operate } from '@countersign/test-support/installation/operator';
import { newUser } from '@countersign/test-support/pages/new-user';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { run } from '@countersign/test-support/processes/child-process';
import { until } from '@countersign/test-support/processes/until';
import { describeWith } from '@countersign/test-support/servers';
import type { Page, Response } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

const KEY = /\bcsk_[0-9a-f]{64}\b/;
const WHOLE_KEYS = new RegExp(KEY, 'g');

/** Runs a copied command line in a shell and parses its JSON output. */
async function pasted(line: string): Promise<unknown> {
  const { code, stdout } = await run('sh', ['-c', line]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as unknown;
}

describeWith(['chromium', 'curl'], 'a client’s owner', () => {
  let site: CountersignSite;

  beforeAll(async () => {
    site = await startSite();
  });

  const file = () => site.server.databaseFile;
  const pathOf = (page: Page) => page.url().slice(site.origin.length);
  const apiOf = (key: string) => createApiClient(site.server.baseUrl, key);

  const newClientId = () =>
    operate(
      site.server,
      async ({ clients }) => (await clients.create({ name: 'Acme', plan: 'standard' })).client.id,
    );

  /** Creates an owner who has signed in and confirmed their password. */
  async function confirmedOwner(clientId: string): Promise<StaffForms> {
    const owner = await newTeamMember(site.server, clientId);
    await owner.confirm();
    return owner;
  }

  describe.concurrent('on the Keys page', () => {
    it('creates a key, sees it once and uses it', async () => {
      const clientId = await newClientId();
      const email = 'first.owner@example.org';
      const { path: link } = await newUser(site.server, { email, name: 'Ada', role: 'client', clientId });
      const { page, context, complaints } = await newVisitor(site.origin, { screen: 'desktop' });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
      await page.goto(site.origin + link);
      await setPassword(page);
      expect(pathOf(page)).toBe('/dashboard');

      await follow(page, 'Keys');
      expect(await wordsOf(page)).toContain('0 of 10 active');
      await follow(page, 'Create a key');
      expect(pathOf(page)).toBe('/account/confirm?returnTo=%2Fdashboard%2Fkeys%2Fnew');
      await confirmIdentity(page, PASSWORD);
      expect(pathOf(page)).toBe('/dashboard/keys/new');
      await page.getByLabel('Name').fill('Shop');
      await page.locator('[name=permissions][value="verifications:read"]').check();
      await press(page, 'Create the key');

      const shown = await page.content();
      const key = await page.locator('#new-key').inputValue();
      expect(key).toMatch(new RegExp(`^${KEY.source}$`));
      await page.getByRole('button', { name: /^Copy/ }).click();
      await page.getByText('Copied', { exact: true }).waitFor();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(key);
      expect(new Set(shown.match(WHOLE_KEYS))).toEqual(new Set([key]));

      const ends = `${key.slice(0, 8)}…${key.slice(-4)}`;
      const line = await page.locator('pre code').innerText();
      await expectOnlyEnds(page, key, ends);
      expect(await rowOf(page, ends)).toMatch(/Active[\s\S]*Never[\s\S]*In 90 days/);
      expect(await pasted(line)).toMatchObject({ success: true, data: { verifications: [] } });

      // The server records the use of a key after the response.
      await until(async () => {
        await page.goto(`${site.origin}/dashboard/keys`);
        return (await rowOf(page, ends)).includes('In the last 5 minutes');
      });
      complaints.expectNone();
    });

    /** Expects the shown key to be gone after a reload, after going back and on every other page. */
    async function expectOnlyEnds(page: Page, key: string, ends: string): Promise<void> {
      const secret = key.slice(12, -4);
      const holdsIt = (text: string) => text.includes(secret);
      const goneFrom = async (answer: Promise<Response | null>) => {
        const sent = (await (await answer)?.text()) ?? '';
        expect([sent, await page.content()].some(holdsIt), page.url()).toBe(false);
      };
      await goneFrom(page.reload());
      expect(pathOf(page)).toBe('/dashboard/keys');
      expect(await wordsOf(page)).toContain(ends);
      await goneFrom(page.goBack());
      await goneFrom(page.goto(`${site.origin}/dashboard/keys`));
      const revoke = await page.locator('a[href$="/revoke"]').getAttribute('href');
      const rotate = await page.locator('a[href$="/rotate"]').getAttribute('href');
      for (const path of [revoke, rotate, '/dashboard', '/dashboard/keys']) {
        await goneFrom(page.goto(`${site.origin}${path}`));
      }
      expect([JSON.stringify(auditLines(file())), site.server.output()].some(holdsIt)).toBe(false);
    }

    it('creates a key without JavaScript, and sees no copy button', async () => {
      const clientId = await newClientId();
      const { page, complaints } = await atTheDashboard(site, await confirmedOwner(clientId), {
        javaScript: false,
      });
      await page.goto(`${site.origin}/dashboard/keys/new`);
      await page.getByLabel('Name').fill('Plain');
      await page.locator('[name=permissions][value="verifications:create"]').check();
      await page.locator('[name=expiresInDays][value=""]').check();
      await page.getByRole('button', { name: 'Create the key' }).click();

      const key = await page.locator('#new-key').inputValue();
      expect(await page.getByRole('button', { name: /^Copy/ }).isVisible()).toBe(false);
      expect(await wordsOf(page)).toContain('It never expires.');
      await page.goto(`${site.origin}/dashboard/keys`);
      expect(await page.content()).not.toMatch(KEY);
      expect((await apiOf(key).post({ subjectType: 'kyc', subjectReference: 'one' })).status).toBe(201);
      complaints.expectNone();
    });
  });
});
