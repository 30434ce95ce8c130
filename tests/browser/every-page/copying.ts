import type { Page } from 'playwright-core';

/** Presses the button beside what is to be copied, and waits until it says what came of it. */
export async function pressCopy(page: Page): Promise<void> {
  await page.locator('button[data-copy]').click();
  await page.locator('.copy-line [role=status]').filter({ hasText: /\S/ }).waitFor();
}

/** The same in a browser that lets nothing be copied. */
export async function pressCopyInVain(page: Page): Promise<void> {
  await page.evaluate(`
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    document.execCommand = () => false;`);
  await pressCopy(page);
}
