import type { Context } from 'hono';
import { PageError } from '../site/errors.ts';

/** The values of a form's fields by name. Names are paths: `directors.0.firstName`. */
export interface FormValues {
  /** Returns the trimmed value of a field; empty if the form lacks it. */
  text(name: string): string;
  /** Returns the last trimmed value of a name: a ticked checkbox follows the hidden `false` before it. */
  last(name: string): string;
  /** Returns the value as it was sent, for passwords. */
  raw(name: string): string;
  /** Returns all values of a name, such as of checkboxes, except empty ones. */
  all(name: string): readonly string[];
  has(name: string): boolean;
  /** Counts the rows of a group: 2 for `directors.0.…` and `directors.1.…`. At most {@link ROWS_MAX}. */
  rows(name: string): number;
  readonly names: readonly string[];
  /** The fields as they were sent. */
  readonly entries: readonly (readonly [name: string, value: string])[];
}

export function createFormValues(fields: Iterable<readonly [string, string]>): FormValues {
  const entries = [...fields];
  const values = new Map<string, string[]>();
  const raw = new Map<string, string>();
  for (const [name, value] of entries) {
    const list = values.get(name);
    if (list === undefined) raw.set(name, value);
    // Forms send line breaks as CR LF.
    const plain = value.replaceAll('\r\n', '\n').trim();
    if (list === undefined) values.set(name, [plain]);
    else list.push(plain);
  }
  return {
    text: (name) => values.get(name)?.[0] ?? '',
    last: (name) => values.get(name)?.at(-1) ?? '',
    raw: (name) => raw.get(name) ?? '',
    all: (name) => (values.get(name) ?? []).filter((value) => value !== ''),
    has: (name) => values.has(name),
    rows: (name) => rowsOf(name, values.keys()),
    names: [...values.keys()],
    entries,
  };
}

/**
 * A few more than any group may have, so that one too many is refused by name. Further rows are ignored: otherwise a
 * request of a hundred bytes could ask for a page of ten megabytes.
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

/** The largest form, in bytes. Files have their own forms. */
const FORM_MAX_BYTES = 64 * 1024;

/**
 * Reads the fields of a form, in UTF-8.
 * @throws PageError 413 over {@link FORM_MAX_BYTES}, 415 if the body is not an urlencoded form
 */
export async function readForm({ req }: Context): Promise<FormValues> {
  const contentType = req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (contentType !== 'application/x-www-form-urlencoded') throw new PageError(415);
  const declared = Number(req.header('Content-Length') ?? 0);
  if (declared > FORM_MAX_BYTES) throw new PageError(413);

  const body: AsyncIterable<Uint8Array> | null = req.raw.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > FORM_MAX_BYTES) throw new PageError(413);
    chunks.push(chunk);
  }
  return createFormValues(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
}
