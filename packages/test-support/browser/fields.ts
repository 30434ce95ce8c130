import type { Locator } from 'playwright-core';
import type { Typed } from '../pages/page-answers.ts';

/** A field of a form, as far as it is needed here. */
interface Foldable {
  readonly type: string;
  closest(selector: string): { open: boolean } | null;
}

/** Fills in fields by their names, without submitting the form. */
export async function fillIn(form: Locator, typed: Typed): Promise<void> {
  for (const [name, value] of Object.entries(typed)) {
    // A checkbox has a hidden field of its name, which is sent while it is not ticked.
    const fields = form.locator(`[name="${name}"]:not([type=hidden])`);
    const kind = await fields.first().evaluate((field: Foldable) => {
      // What few people answer is folded.
      const folded = field.closest('details');
      if (folded !== null) folded.open = true;
      return field.type;
    });
    if (kind === 'radio' || kind === 'checkbox') await fields.and(form.locator(`[value="${value}"]`)).check();
    else if (kind.startsWith('select')) await fields.selectOption(value);
    else await fields.fill(value);
  }
}
