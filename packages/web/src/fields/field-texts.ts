import type { Issue } from '@countersign/domain';

/**
 * The texts around the fields of one form, in the reader's language. Paths are those of the form: `directors.0.firstName`.
 * A field without a text is shown by its key.
 */
export interface FieldTexts {
  label(path: string): string;
  hint(path: string): string | undefined;
  /** The label of one choice of the field. */
  choice(path: string, value: string | number): string;
  /** An explanation of one choice. */
  choiceHint?(path: string, value: string | number): string | undefined;
  /** The label of choosing nothing, where an optional choice offers that. */
  noChoice?(path: string): string | undefined;
  /** The caption of one row: `Director 2`. */
  row(path: string, index: number): string;
  addRow(path: string): string;
  removeRow(path: string, index: number): string;
  /** Labels of the choice whether a group is the same as an earlier one. */
  sameOrOther(value: 'same' | 'other'): string;
  /** The message for an issue; null for a field that the form does not have. */
  issue(path: string | null, issue: Issue): string;
}
