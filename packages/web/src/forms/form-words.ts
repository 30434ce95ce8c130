import type { Translate } from '../site/messages.ts';
import type { FormState } from './form-state.ts';
import { createFormValues, type FormValues } from './form-values.ts';

/** The state of a form in the reader's language. Left out, nothing is filled in and nothing is wrong. */
export function formState(
  t: Translate,
  values: FormValues = createFormValues([]),
  errors: ReadonlyMap<string, string> = new Map(),
): FormState {
  const words = {
    optional: t('site:optional'),
    error: t('site:error.field'),
    select: t('site:select'),
    day: t('site:date.day'),
    month: t('site:date.month'),
    year: t('site:date.year'),
  };
  return { values, errors, words };
}
