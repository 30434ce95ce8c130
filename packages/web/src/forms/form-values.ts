import type { JsonObject, JsonValue } from '@countersign/domain';

/** What the fields of a form hold, by name. Names are paths: `directors.0.firstName`. */
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

/**
 * The fields of a form that holds answers given before. Of a name in `dates`, `2001-04-30` becomes the three fields
 * that a date is asked in; a list of texts becomes several values of one name.
 */
export function valuesOfAnswers(answers: JsonObject, dates: readonly string[] = []): FormValues {
  const fields: [string, string][] = [];
  collect('', answers, fields, dates);
  return createFormValues(fields);
}

function collect(path: string, value: JsonValue, fields: [string, string][], dates: readonly string[]): void {
  if (value === null) return;
  if (typeof value !== 'object') {
    if (dates.includes(lastPart(path))) fields.push(...dateFields(path, String(value)));
    else fields.push([path, String(value)]);
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    const listOfTexts = Array.isArray(value) && typeof child !== 'object';
    collect(listOfTexts ? path : path === '' ? key : `${path}.${key}`, child, fields, dates);
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function dateFields(path: string, date: string): [string, string][] {
  const [year = '', month = '', day = ''] = date.split('-');
  const plain = (part: string) => part.replace(/^0+/, '');
  return [
    [`${path}.day`, plain(day)],
    [`${path}.month`, plain(month)],
    [`${path}.year`, plain(year)],
  ];
}
