import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { leaving } from './leaving.ts';

/** Which form of a case's page; its fields begin with this name. */
export type Act = 'approve' | 'reject' | 'ask' | 'note';

/** What is typed, chosen or ticked, by the names of the fields without that of the act. */
export type Entries = readonly (readonly [field: string, value: string])[];

/** Opens a form on the page of a case and fills it in. Nothing is sent. */
export async function fillIn(page: Page, act: Act, entries: Entries = []): Promise<Locator> {
  const part = page.locator(`#act-${act}`);
  if ((await part.getAttribute('open')) === null) await part.locator('summary').click();
  for (const [name, value] of entries) {
    const fields = part.locator(`[name="${act}.${name}"]`);
    const kind = await fields.first().evaluate((field: { type: string }) => field.type);
    if (kind === 'checkbox') await part.locator(`[name="${act}.${name}"][value="${value}"]`).check();
    else if (kind.startsWith('select')) await fields.selectOption(value);
    else await fields.fill(value);
  }
  return part;
}

/** Sends a form that was filled in; what it would do is then shown once more. */
export function goOn(part: Locator): Promise<void> {
  const button = part.getByRole('button', { name: 'Check and confirm …' });
  return leaving(part.page(), () => button.click());
}

/** Says yes to what a page shows once more. */
function confirm(page: Page): Promise<void> {
  return leaving(page, () => page.locator('button[name=confirmed][value=yes]').click());
}

/** Decides the case whose page is open. */
export async function decide(page: Page, act: Exclude<Act, 'note'>, entries: Entries = []): Promise<void> {
  await goOn(await fillIn(page, act, entries));
  await confirm(page);
}

/** Waits until every picture of the case is there. Gives how wide they are, in pixels of their own. */
export async function picturesOf(page: Page): Promise<number[]> {
  const images = page.locator('[data-picture] img');
  const widths = () => images.evaluateAll((all: { naturalWidth: number }[]) => all.map((one) => one.naturalWidth));
  await expect.poll(widths).not.toContain(0);
  return widths();
}

/** What there is to read on a page. */
export function wordsOf(page: Page): Promise<string> {
  return page.locator('main').innerText();
}
