// An owner and new members of a team act in browsers of their own.
import { newVisitor, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, follow, press, rowOf } from '@countersign/test-support/browser/dashboard';
import { fillIn } from '@countersign/test-support/browser/fields';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { setPassword, signIn } from '@countersign/test-support/browser/sign-in';
import { PASSWORD } from '@countersign/test-support/browser/staff';
import { staffIdOf } from '@countersign/test-support/installation/audit-lines';
import { newUser } from '@countersign/test-support/pages/new-user';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ClientTeam, givenClientTeam } from './every-page/client-team.ts';
import { pressCopy } from './every-page/copying.ts';

const TEAM = '/dashboard/team';

describeWith(['chromium'], 'a client’s team', () => {
  let site: CountersignSite;
  /** Clients with one owner each, created one after another: all at the same time, requests would time out. */
  const teams: ClientTeam[] = [];

  beforeAll(async () => {
    site = await startSite({ TRUST_PROXY: '1' });
    for (let count = 0; count < 2; count++) teams.push(await givenClientTeam(site.server));
  });

  const file = () => site.server.databaseFile;
  const pathOf = (page: Page) => page.url().slice(site.origin.length);
  const open = (page: Page, path: string) => page.goto(site.origin + path);

  /** Opens the Team page as the owner of an unused client; the owner has confirmed their password. */
  async function atTheTeam(): Promise<ClientTeam & Visitor> {
    const client = teams.pop();
    if (client === undefined) throw new Error('more tests than teams');
    const visitor = await atTheDashboard(site, client.owner);
    await open(visitor.page, TEAM);
    return { ...client, ...visitor };
  }

  /** Follows the link of an action on a user in the list. */
  const choose = (page: Page, act: string, name: string) => follow(page, `${act}: ${name}`);

  /** Opens a one-time link in another browser and sets a password. */
  async function join(link: string): Promise<Visitor> {
    const visitor = await newVisitor(site.origin, { screen: 'desktop' });
    await visitor.page.goto(link);
    await setPassword(visitor.page);
    expect(pathOf(visitor.page)).toBe('/dashboard');
    return visitor;
  }

  describe.concurrent('managed by its owner: the owner', () => {
    it('invites a user, changes their role and removes them', async () => {
      const { page, context, complaints } = await atTheTeam();
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
      const email = 'noor@example.org';
      await follow(page, 'Invite a user');
      await fillIn(page.locator('main form'), { email, name: 'Noor', teamRole: 'agent' });
      await press(page, 'Create the invitation');
      const link = await page.locator('#one-time-link').inputValue();
      await pressCopy(page);
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(link);
      await expectOnce(page, link);
      expect(await rowOf(page, email)).toMatch(/Agent[\s\S]*Invited/);

      const noor = await join(link);
      await noor.page.goto(link);
      expect(await wordsOf(noor.page)).toContain('This link no longer works');
      await open(page, TEAM);
      expect(await rowOf(page, email)).toMatch(/Agent[\s\S]*Joined/);

      const creation = '/dashboard/verifications/new';
      expect((await open(noor.page, creation))?.status()).toBe(200);
      await choose(page, 'Change role', 'Noor');
      await fillIn(page.locator('main form'), { teamRole: 'viewer' });
      await press(page, 'Change role');
      expect(await wordsOf(page)).toContain('The role is changed');
      expect(await rowOf(page, email)).toContain('Viewer');
      expect((await open(noor.page, creation))?.status()).toBe(403);

      await open(noor.page, '/dashboard/usage');
      await choose(page, 'Remove', 'Noor');
      await press(page, 'Remove the user');
      expect(await wordsOf(page)).toMatch(/The user is removed[\s\S]*1 user/);
      await follow(noor.page, 'Team');
      expect(pathOf(noor.page)).toBe('/account/sign-in?returnTo=%2Fdashboard%2Fteam');
      await signIn(noor.page, email, PASSWORD);
      expect(await wordsOf(noor.page)).toContain('The e-mail address or the password is wrong');
      for (const seen of [complaints, noor.complaints]) seen.expectNone();
    });

    /** Expects the shown link to be gone after a reload, after going back and on the list. */
    async function expectOnce(page: Page, link: string): Promise<void> {
      const secret = link.split('/').at(-1) ?? '';
      expect(secret.length).toBeGreaterThan(20);
      await page.reload();
      expect(pathOf(page)).toBe('/dashboard/team/invite');
      // The form is empty: the browser did not submit it again.
      expect(await page.getByLabel('E-mail').inputValue()).toBe('');
      const seen = [await page.content()];
      await page.goBack();
      seen.push(await page.content());
      await open(page, TEAM);
      seen.push(await page.content(), site.server.output());
      expect(seen.some((text) => text.includes(secret))).toBe(false);
    }

    it('creates a new link only for a user who has not joined', async () => {
      const { page, clientId, owner, complaints } = await atTheTeam();
      const [email, name] = ['late@example.org', 'Late'];
      const { path } = await newUser(site.server, { email, name, role: 'client', clientId, teamRole: 'agent' });
      await open(page, TEAM);
      await choose(page, 'New link', name);
      await press(page, 'Create a new link');
      const link = await page.locator('#one-time-link').inputValue();
      expect(link).not.toBe(site.origin + path);
      // A reload does not submit the form again, which would revoke the new link.
      await page.reload();
      expect((await fetch(site.origin + path)).status).toBe(410);
      const late = await join(link);

      await open(page, TEAM);
      expect(await page.getByRole('link', { name: /^New link/ }).count()).toBe(0);
      const again = `${TEAM}/${staffIdOf(file(), email)}/invitation`;
      await open(page, again);
      expect(await wordsOf(page)).toContain('This user has already joined and has a password');
      expect(await page.locator('main form').count()).toBe(0);
      expect((await owner.post(again)).status).toBe(409);
      for (const seen of [complaints, late.complaints]) seen.expectNone();
    });
  });
});
