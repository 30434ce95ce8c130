// Each menu is open on its own in two widths and themes: the walk over every page opens them all at the same time.
import { bringChecks, outlineOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard } from '@countersign/test-support/browser/dashboard';
import { press, typeInto } from '@countersign/test-support/browser/keyboard';
import { leaving } from '@countersign/test-support/browser/leaving';
import { operate } from '@countersign/test-support/installation/operator';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { describeWith } from '@countersign/test-support/servers';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

describeWith(['chromium'], 'the menus of staff', () => {
  let site: CountersignSite;

  beforeAll(async () => {
    site = await startSite();
  });

  /** Creates a client with two keys, and its owner. */
  async function givenKeys(names: readonly string[]): Promise<StaffForms> {
    const clientId = await operate(site.server, async ({ clients, apiKeys }) => {
      const { client } = await clients.create({ name: 'Acme', plan: 'standard' });
      for (const name of names) await apiKeys.issue(client.id, { name, permissions: ['verifications:read'] });
      return client.id;
    });
    return newTeamMember(site.server, clientId);
  }

  const shellMenu = (page: Page) => page.locator('.menu-switch > summary');
  const userMenu = (page: Page) => page.locator('.user-menu > summary');
  const rowMenu = (page: Page, name: string) => page.locator(`.menu > summary[aria-label$=": ${name}"]`);

  /** Fails unless the whole of it is in the window. */
  async function expectInWindow(page: Page, part: Locator): Promise<void> {
    const { width } = page.viewportSize() ?? expect.fail('no window');
    const box = (await part.boundingBox()) ?? expect.fail('not drawn');
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
  }

  describe.each([
    ['on a phone', PHONE],
    ['on a desktop', DESKTOP],
  ])('%s', (_, size) => {
    it.each(['light', 'dark'] as const)('an open menu is accessible: %s', async (theme) => {
      const owner = await givenKeys(['Production', 'Staging']);
      const { page, complaints } = await atTheDashboard(site, owner, { theme });
      await bringChecks(page);
      await page.setViewportSize(size);
      await page.goto(`${site.origin}/dashboard/keys`);
      const header = await page.locator('.shell').boundingBox();
      expect(header?.[size === PHONE ? 'height' : 'x']).toBe(size === PHONE ? 56 : 0);
      const menus = [rowMenu(page, 'Production'), rowMenu(page, 'Staging')];
      if (await shellMenu(page).isVisible()) menus.push(shellMenu(page));
      menus.push(userMenu(page));

      for (const menu of menus) {
        await menu.click();
        expect(await violationsOf(page, theme === 'light' ? 'all' : 'look')).toEqual([]);
        const shown = page.locator('details[open] > :not(summary), .shell-nav').filter({ visible: true });
        for (const part of await shown.all()) await expectInWindow(page, part);
      }
      // The second row's menu has closed the first one.
      expect(await page.locator('.menu[open]').count()).toBe(1);
      expect((await outlineOf(page)).faults).toEqual([]);
      complaints.expectNone();
    });
  });

  it.each([true, false])(
    'an owner without a mouse revokes a key on a phone, with scripts: %s',
    async (javaScript) => {
      const owner = await givenKeys(['Production', 'Staging']);
      const { page, complaints } = await atTheDashboard(site, owner, { javaScript });
      await page.setViewportSize(PHONE);
      await page.goto(`${site.origin}/dashboard`);

      const follow = (link: Locator) => leaving(page, () => press(page, link, 'Enter'));
      await press(page, shellMenu(page), 'Enter');
      await follow(page.getByRole('navigation').getByRole('link', { name: 'API keys' }));
      await press(page, rowMenu(page, 'Staging'), 'Space');
      await follow(page.getByRole('link', { name: 'Revoke: Staging' }));
      await typeInto(page, page.getByLabel('Type the key’s name'), 'Staging');
      await follow(page.getByRole('button', { name: 'Revoke the key' }));

      expect(await page.locator('[data-result]:focus').count()).toBe(1);
      const row = page.locator('main tbody tr').filter({ hasText: 'Staging' });
      expect(await row.innerText()).toContain('Revoked');
      expect(await page.locator('main tbody tr').filter({ hasText: 'Production' }).innerText()).toContain(
        'Active',
      );
      complaints.expectNone();
    },
  );

  it('an owner without a mouse changes the language and signs out by the user menu', async () => {
    const { page, complaints } = await atTheDashboard(site, await givenKeys([]));
    await page.goto(`${site.origin}/dashboard/keys`);

    await press(page, userMenu(page), 'Enter');
    await leaving(page, () => press(page, page.getByRole('button', { name: 'Deutsch' }), 'Enter'));
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys');
    await press(page, userMenu(page), 'Space');
    await leaving(page, () => press(page, page.getByRole('button', { name: 'Abmelden' }), 'Space'));
    expect(new URL(page.url()).pathname).toBe('/account/sign-in');
    complaints.expectNone();
  });
});
