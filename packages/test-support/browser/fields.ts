import type { Locator } from 'playwright-core';
import type { Typed } from '../pages/page-answers.ts';

/** Fills in fields by their names, without submitting the form. */
export async function fillIn(form: Locator, typed: Typed): Promise<void> {
  for (const [name, value] of Object.entries(typed)) {
    // A checkbox has a hidden field of its name, which is sent while it is not ticked.
    const fields = form.locator(`[name="${name}"]:not([type=hidden])`);
    const kind = await fields.first().evaluate((field: { type: string }) => field.type);
    if (kind === 'radio' || kind === 'checkbox') await fields.and(form.locator(`[value="${value}"]`)).check();
    else if (kind.startsWith('select')) await fields.selectOption(value);
    else await fields.fill(value);
  }
}
