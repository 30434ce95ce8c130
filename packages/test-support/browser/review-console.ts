import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { leaving } from './leaving.ts';

/** A form of a case's page, which is also the prefix of its fields. */
export type FormAction = 'approve' | 'reject' | 'ask' | 'note';

/** Values by field name, without the form's prefix. */
export type Entries = readonly (readonly [field: string, value: string])[];

/** Opens a form on the page of a case and fills it in, without submitting it. */
export async function fillIn(page: Page, action: FormAction, entries: Entries = []): Promise<Locator> {
  const part = page.locator(`#act-${action}`);
  if ((await part.getAttribute('open')) === null) await part.locator('> summary').click();
  // The note of an approval is folded.
  if (action === 'approve' && entries.length > 0) await part.getByText('Add an internal note').click();
  for (const [name, value] of entries) {
    // Boxes of a request stand beside the rows, too.
    const fields = page.locator(`[name="${action}.${name}"]`);
    const kind = await fields.first().evaluate((field: { type: string }) => field.type);
    if (kind === 'checkbox') await page.locator(`[name="${action}.${name}"][value="${value}"]`).check();
    else if (kind.startsWith('select')) await fields.selectOption(value);
    else await fields.fill(value);
  }
  return part;
}

/** Continues from a filled-in form to what follows from it, on the same page. */
export function goOn(part: Locator): Promise<void> {
  return part.getByRole('button', { name: 'Continue' }).click();
}

/** Decides the open case, which leads to the next case or to the queue. An approval says that all warnings were checked. */
export async function decide(
  page: Page,
  action: Exclude<FormAction, 'note'>,
  entries: Entries = [],
): Promise<void> {
  const part = await fillIn(page, action, entries);
  if (action === 'approve') for (const box of await part.locator('[required]').all()) await box.check();
  else await goOn(part);
  await leaving(page, () => part.locator('button[name=confirmed][value=yes]').click());
}

/** Looks at each picture of the case, waits until it is loaded, and returns their natural widths. */
export async function picturesOf(page: Page): Promise<number[]> {
  const widths: number[] = [];
  for (const link of await page.locator('.film a[href^="#picture-"]').all()) {
    await link.click();
    const image = page.locator('[data-picture] img:visible');
    const width = () => image.evaluate((one: { naturalWidth: number }) => one.naturalWidth);
    await expect.poll(width).toBeGreaterThan(0);
    widths.push(await width());
  }
  return widths;
}

/** Returns the visible text of a page's main part. */
export function wordsOf(page: Page): Promise<string> {
  return page.locator('main').innerText();
}
