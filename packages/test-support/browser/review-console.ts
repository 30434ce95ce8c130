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
  if ((await part.getAttribute('open')) === null) await part.locator('summary').click();
  for (const [name, value] of entries) {
    const fields = part.locator(`[name="${action}.${name}"]`);
    const kind = await fields.first().evaluate((field: { type: string }) => field.type);
    if (kind === 'checkbox') await part.locator(`[name="${action}.${name}"][value="${value}"]`).check();
    else if (kind.startsWith('select')) await fields.selectOption(value);
    else await fields.fill(value);
  }
  return part;
}

/** Submits a filled-in form, which leads to its confirmation page. */
export function goOn(part: Locator): Promise<void> {
  const button = part.getByRole('button', { name: 'Review decision …' });
  return leaving(part.page(), () => button.click());
}

/** Confirms on the confirmation page. */
function confirm(page: Page): Promise<void> {
  return leaving(page, () => page.locator('button[name=confirmed][value=yes]').click());
}

/** Decides the open case. */
export async function decide(
  page: Page,
  action: Exclude<FormAction, 'note'>,
  entries: Entries = [],
): Promise<void> {
  await goOn(await fillIn(page, action, entries));
  await confirm(page);
}

/** Waits until all pictures of the case are loaded, and returns their natural widths. */
export async function picturesOf(page: Page): Promise<number[]> {
  const images = page.locator('[data-picture] img');
  const widths = () => images.evaluateAll((all: { naturalWidth: number }[]) => all.map((one) => one.naturalWidth));
  await expect.poll(widths).not.toContain(0);
  return widths();
}

/** Returns the visible text of a page's main part. */
export function wordsOf(page: Page): Promise<string> {
  return page.locator('main').innerText();
}
