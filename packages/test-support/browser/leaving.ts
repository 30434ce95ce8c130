import type { Page } from 'playwright-core';

/** Runs an action that loads another page or reloads this one, and waits for the load. */
export async function leaving(page: Page, act: () => Promise<void>): Promise<void> {
  const marked = await page.locator('main').elementHandle();
  // The element may be gone before Playwright knows the new address.
  const navigated = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
  await Promise.all([navigated, act().then(() => marked?.waitForElementState('hidden').catch(() => undefined))]);
  await page.waitForLoadState('load');
}
