import { createFormValues, type FormValues } from '../forms/form-values.ts';

/** The name of the buttons that add and take away rows. Their values: `add:directors`, `remove:directors.1`. */
export const ROWS_BUTTON = 'rows';

/**
 * The fields of a form after one of its row buttons was pressed, with all that was typed; null when none was. A new
 * row has one empty field, so that it is there.
 */
export function changedRows(values: FormValues): FormValues | null {
  const [, act, group, index] =
    /^(add|remove):([A-Za-z]{1,50})(?:\.(\d{1,3}))?$/.exec(values.text(ROWS_BUTTON)) ?? [];
  if (group === undefined) return null;
  const entries: [string, string][] = values.names
    .filter((name) => name !== ROWS_BUTTON)
    .map((name) => [name, values.text(name)]);
  if (act === 'add') {
    return createFormValues([...entries, [`${group}.${Math.max(1, values.rows(group))}.`, '']]);
  }
  const gone = Number(index);
  return createFormValues(entries.flatMap((entry) => withoutRow(entry, group, gone)));
}

function withoutRow([name, value]: [string, string], group: string, gone: number): [string, string][] {
  const [, row, rest = ''] = new RegExp(`^${group}\\.(\\d{1,3})(\\..*)?$`).exec(name) ?? [];
  if (row === undefined || Number(row) < gone) return [[name, value]];
  return Number(row) === gone ? [] : [[`${group}.${Number(row) - 1}${rest}`, value]];
}
