import type { FormValues } from './form-values.ts';

/** What a form shows: what its fields hold, and what is wrong with them. */
export interface FormState {
  readonly values: FormValues;
  /** Messages by the path of their field, in the order of the page. */
  readonly errors: ReadonlyMap<string, string>;
  /** Texts that every field needs, in the reader's language. */
  readonly words: FormWords;
}

export interface FormWords {
  readonly optional: string;
  readonly error: string;
  readonly select: string;
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

/** The `id` of a field, to which the error summary leads. */
export function fieldId(name: string): string {
  return `field-${name.replaceAll('.', '-')}`;
}

/** Ids of what describes a field, for `aria-describedby`; undefined where there is nothing. */
export function describedBy(state: FormState, name: string, hint: unknown): string | undefined {
  const ids = [
    hint === undefined ? '' : `${fieldId(name)}-hint`,
    state.errors.has(name) ? `${fieldId(name)}-error` : '',
  ].filter((id) => id !== '');
  return ids.length === 0 ? undefined : ids.join(' ');
}
