import type { Page } from 'playwright-core';

/** Presses the copy button, of a field if there are several, and waits for its status message. */
export async function pressCopy(page: Page, field?: string): Promise<void> {
  await page.locator(field === undefined ? 'button[data-copy]' : `button[data-copy="${field}"]`).click();
  await page.locator('.copy-line [role=status]').filter({ hasText: /\S/ }).waitFor();
}

/** Presses the copy button in a browser that denies access to the clipboard. */
export async function pressCopyInVain(page: Page, field?: string): Promise<void> {
  await page.evaluate(`
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    document.execCommand = () => false;`);
  await pressCopy(page, field);
}
