/** What the ids of a case name, by their first digit (`records/ids.ts`). */
const NAMES: Readonly<Record<string, string>> = {
  '6': 'mail',
  '7': 'attempt',
  '8': 'export',
  '9': 'id made by the domain',
  a: 'verification',
  b: 'key',
  c: 'client',
  d: 'lease token',
  e: 'event',
  f: 'endpoint',
};

const ID = /([6-9a-f])\1{7}-0000-7000-8000-([0-9a-f]{12})/g;
const EVENT_ID = /eeeeeeee-0000-7000-9([0-9a-f]{3})-([0-9a-f]{12})/g;

const HEX = 16;

/** Replaces the ids of a case by what they name: `verification 7`, `event 2 of verification 7`. */
export function readableText(text: string): string {
  return text
    .replaceAll(EVENT_ID, (_, version: string, verification: string) => {
      return `event ${Number.parseInt(version, HEX)} of verification ${Number.parseInt(verification, HEX)}`;
    })
    .replaceAll(ID, (_, digit: string, count: string) => `${NAMES[digit]} ${Number.parseInt(count, HEX)}`);
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Copies a value with readable ids. Dates, errors and matchers stay as they are. */
export function readable(value: unknown): unknown {
  if (typeof value === 'string') return readableText(value);
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [readableText(key), readable(each)]));
}

const MOST_SHOWN = 12;
const LONGEST = 120;

/** Writes values in one line: those that a list has too many of, or an outcome. */
export function shown(values: readonly unknown[]): string {
  const texts = values.slice(0, MOST_SHOWN).map((value) => {
    const text = JSON.stringify(readable(value)) ?? String(value);
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  });
  if (values.length > MOST_SHOWN) texts.push(`and ${values.length - MOST_SHOWN} more`);
  return texts.length === 0 ? 'none' : texts.join(', ');
}

/** Says where two lists differ first; '' for other values, and for lists that are equal. */
function firstDifference(expected: unknown, actual: unknown): string {
  if (!Array.isArray(expected) || !Array.isArray(actual)) return '';
  const length = Math.max(expected.length, actual.length);
  for (let place = 0; place < length; place += 1) {
    const [wanted, found] = [expected, actual].map((list: unknown[]) =>
      place < list.length ? shown([list[place]]) : 'nothing',
    );
    if (wanted !== found) return `At place ${place}: expected ${wanted}, received ${found}`;
  }
  return '';
}

interface Comparison {
  message: string;
  actual?: unknown;
  expected?: unknown;
}

const isComparison = (error: unknown): error is Error & Comparison =>
  error instanceof Error && 'actual' in error && 'expected' in error;

/**
 * Makes the error of a failed case readable: ids are named, and the first difference of two lists is part of the message.
 * Test runners print `actual` and `expected` as a diff.
 * @returns the same error
 */
export function readableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (isComparison(error)) {
    error.actual = readable(error.actual);
    error.expected = readable(error.expected);
    const difference = firstDifference(error.expected, error.actual);
    if (difference !== '') error.message = `${error.message}\n${difference}`;
  }
  error.message = readableText(error.message);
  return error;
}
