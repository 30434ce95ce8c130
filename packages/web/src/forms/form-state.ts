import type { JsonValue } from '@countersign/domain';
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
  /** What was read from a picture for the fields, by name. */
  readonly read?: ReadonlyMap<string, ReadValue> | undefined;
}

/** A value that was read from a picture for a field. */
export interface ReadValue {
  readonly value: JsonValue;
  /** Whether it is offered as read. Otherwise it only fills an open field. */
  readonly isSure: boolean;
  /** Whether the form has this value. */
  readonly isSame: boolean;
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
