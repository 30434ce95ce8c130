import type { Locator } from 'playwright-core';
import type { Typed } from '../pages/page-answers.ts';

/** Fills in fields by their names, without submitting the form. */
export async function fillIn(form: Locator, typed: Typed): Promise<void> {
  for (const [name, value] of Object.entries(typed)) {
    const fields = form.locator(`[name="${name}"]`);
    const kind = await fields.first().evaluate((field: { type: string }) => field.type);
    if (kind === 'radio' || kind === 'checkbox') await form.locator(`[name="${name}"][value="${value}"]`).check();
    else if (kind.startsWith('select')) await fields.selectOption(value);
    else await fields.fill(value);
  }
}
