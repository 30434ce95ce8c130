// Lays out pages for print in a browser, with a server.
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard } from '@countersign/test-support/browser/dashboard';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ClientTeam, givenClientTeam } from './every-page/client-team.ts';

const CREATED = 3;
const DAYS = 30;

describeWith(['chromium'], 'pages of staff on paper', () => {
  let site: CountersignSite;
  let client: ClientTeam;

  beforeAll(async () => {
    site = await startSite();
    client = await givenClientTeam(site.server);
    for (let number = 1; number <= CREATED; number += 1)
      await client.api.post({ subjectType: 'kyc', subjectReference: `user_${number}` });
  });

  describe.each(['light', 'dark'] as const)('%s', (theme) => {
    it.each([
      ['usage', '/dashboard/usage', DAYS],
      ['the list of verifications', '/dashboard/verifications', CREATED],
      ['the overview', '/dashboard', CREATED],
    ])('%s has all rows, dark on white, without menu and buttons', async (_, path, rows) => {
      const { page } = await atTheDashboard(site, client.owner, { theme });
      await page.goto(site.origin + path);
      await page.emulateMedia({ media: 'print', colorScheme: theme });
      expect(await seen(page, '.shell, button, .button, summary.menu, form')).toBe(0);
      expect(await seen(page, 'main tbody tr')).toBe(rows);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
      expect(await page.evaluate(PALE_TEXTS)).toEqual([]);
    });
  });
});

/** Counts the elements that take up space. */
async function seen(page: Page, selector: string): Promise<number> {
  const found = await page.locator(selector).all();
  const visible = await Promise.all(found.map((element) => element.isVisible()));
  return visible.filter(Boolean).length;
}

/** Runs in the page. Returns the texts in sight whose contrast with white paper is below 4.5 (WCAG 2.2, 1.4.3). */
const PALE_TEXTS = `(() => {
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const contrast = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => linear(part / 255));
    return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
  };
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const pale = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { parentElement: element } = node;
    if (node.data.trim() === '' || !element.checkVisibility({ opacityProperty: true })) continue;
    if (contrast(getComputedStyle(element).color) < 4.5) pale.push(node.data);
  }
  return pale;
})()`;
