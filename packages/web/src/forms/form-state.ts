import type { Translate } from '../site/messages.ts';
import { createFormValues, type FormValues } from './form-values.ts';

/** Values and messages of a form, and how to translate its texts. */
export interface FormState {
  readonly t: Translate;
  readonly values: FormValues;
  /** Messages by the path of their field, in the order of the page. */
  readonly errors: ReadonlyMap<string, string>;
  /** Names of the fields whose values the form proposes. */
  readonly proposed?: ReadonlySet<string> | undefined;
}

/** Makes the state of a form: without values it is empty, without errors nothing is wrong. */
export function formState(
  t: Translate,
  values: FormValues = createFormValues([]),
  errors: ReadonlyMap<string, string> = new Map(),
): FormState {
  return { t, values, errors };
}

/** Returns the `id` of a field, to which the error summary links. */
export function fieldId(name: string): string {
  return `field-${name.replaceAll('.', '-')}`;
}

/** Returns the ids of a field's hint and message, for `aria-describedby`; undefined without both. */
export function describedBy(state: FormState, name: string, hint: unknown): string | undefined {
  const ids = [
    hint === undefined ? '' : `${fieldId(name)}-hint`,
    state.errors.has(name) ? `${fieldId(name)}-error` : '',
  ].filter((id) => id !== '');
  return ids.length === 0 ? undefined : ids.join(' ');
}
