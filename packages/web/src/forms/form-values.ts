/** The values of a form's fields by name. Names are paths: `directors.0.firstName`. */
export interface FormValues {
  /** The value of a field without spaces around it; empty where there is none. */
  text(name: string): string;
  /** The value as it was sent, spaces and all: of a password. */
  raw(name: string): string;
  /** All values of a name: of checkboxes, or of a field that may be repeated. Empty ones are left out. */
  all(name: string): readonly string[];
  has(name: string): boolean;
  /** How many rows a repeated group has: 2 where there are `directors.0.…` and `directors.1.…`. At most 60. */
  rows(name: string): number;
  readonly names: readonly string[];
}

export function createFormValues(fields: Iterable<readonly [string, string]>): FormValues {
  const values = new Map<string, string[]>();
  const raw = new Map<string, string>();
  for (const [name, value] of fields) {
    const list = values.get(name);
    if (list === undefined) raw.set(name, value);
    // Forms send line breaks as CR LF.
    const plain = value.replaceAll('\r\n', '\n').trim();
    if (list === undefined) values.set(name, [plain]);
    else list.push(plain);
  }
  return {
    text: (name) => values.get(name)?.[0] ?? '',
    raw: (name) => raw.get(name) ?? '',
    all: (name) => (values.get(name) ?? []).filter((value) => value !== ''),
    has: (name) => values.has(name),
    rows: (name) => rowsOf(name, values.keys()),
    names: [...values.keys()],
  };
}

/**
 * A few more than any group may have, so that one too many is told as such. Rows behind them are not looked at: a
 * hundred bytes could otherwise ask for a page of ten megabytes.
 */
const ROWS_MAX = 60;

function rowsOf(group: string, names: Iterable<string>): number {
  let rows = 0;
  for (const name of names) {
    if (!name.startsWith(`${group}.`)) continue;
    const index = /^\d{1,3}(?=\.|$)/.exec(name.slice(group.length + 1))?.[0];
    if (index !== undefined && Number(index) < ROWS_MAX) rows = Math.max(rows, Number(index) + 1);
  }
  return rows;
}
