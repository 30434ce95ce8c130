import type { Page } from 'playwright-core';

/** Does something that leads to another page, or to the same one anew. */
export async function leaving(page: Page, act: () => Promise<void>): Promise<void> {
  const marked = await page.locator('main').elementHandle();
  await act();
  await marked?.waitForElementState('hidden').catch(() => undefined);
  await page.waitForLoadState('load');
}
