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
const EVENT_ID = /eeeeeeee-0000-7aaa-9([0-9a-f]{3})-([0-9a-f]{12})/g;

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

/** Copies a value with readable ids, and with bytes as a short text. Dates, errors and matchers stay as they are. */
export function readable(value: unknown): unknown {
  if (value instanceof Uint8Array) return bytesShown(value);
  if (typeof value === 'string') return readableText(value);
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [readableText(key), readable(each)]));
}

const BYTES_SHOWN = 8;

/** `368 bytes: 89 8b 8d 8f 91 93 95 97 …` */
function bytesShown(bytes: Uint8Array): string {
  const first = Array.from(bytes.subarray(0, BYTES_SHOWN), (byte) => byte.toString(HEX).padStart(2, '0'));
  return `${bytes.length} bytes: ${first.join(' ')}${bytes.length > BYTES_SHOWN ? ' …' : ''}`;
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

type Path = readonly (string | number)[];

/** Finds where two values differ first, from the outside in; null if nothing of them can be compared. */
function firstDifference(
  expected: unknown,
  actual: unknown,
  onlyExpected: boolean,
  path: Path = [],
): string | null {
  const [wanted, found] = [partsOf(expected), partsOf(actual)];
  if (wanted === null || found === null || wanted.isList !== found.isList) {
    return path.length === 0 ? null : differing(path, shown([expected]), shown([actual]));
  }
  const keys = new Set([...wanted.parts.keys(), ...(onlyExpected && !wanted.isList ? [] : found.parts.keys())]);
  for (const key of keys) {
    const place = [...path, key];
    const [left, right] = [wanted.parts.get(key), found.parts.get(key)];
    const [isWanted, isFound] = [wanted, found].map(({ parts }) => parts.has(key));
    const isSame = isAlike(left, right) && (isWanted === isFound || !wanted.isList);
    if (isSame) continue;
    if (!isWanted || !isFound) {
      return differing(place, isWanted ? shown([left]) : 'nothing', isFound ? shown([right]) : 'nothing');
    }
    const inner = firstDifference(left, right, onlyExpected, place);
    if (inner !== null) return inner;
  }
  return null;
}

/** Whether an expected value, or a matcher such as `expect.any(Date)`, is like a value. */
function isAlike(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'object' && expected !== null && 'asymmetricMatch' in expected) {
    const { asymmetricMatch: match } = expected;
    if (typeof match === 'function') return Boolean(match.call(expected, actual));
  }
  return JSON.stringify(expected) === JSON.stringify(actual);
}

/** The parts of a list, a map or a plain object, by place or name; null for any other value. */
function partsOf(value: unknown): { isList: boolean; parts: ReadonlyMap<string | number, unknown> } | null {
  if (Array.isArray(value)) return { isList: true, parts: new Map(value.entries()) };
  if (value instanceof Map)
    return { isList: false, parts: new Map([...value].map(([key, each]) => [String(key), each])) };
  if (typeof value !== 'object' || value === null || !isPlain(value)) return null;
  return { isList: false, parts: new Map(Object.entries(value)) };
}

/** `At place 3, dueAt: expected …` in a list, `At records.0.id: expected …` in an object. */
function differing([first, ...rest]: Path, expected: string, actual: string): string {
  const outer = typeof first === 'number' ? [`place ${first}`, ...(rest.length > 0 ? [rest.join('.')] : [])] : [];
  const place = outer.length > 0 ? outer.join(', ') : [first, ...rest].join('.');
  return `At ${place}: expected ${expected}, received ${actual}`;
}

/** Says how two contents differ; null for other values. */
function differenceOfBytes(expected: unknown, actual: unknown): string | null {
  if (!(expected instanceof Uint8Array) || !(actual instanceof Uint8Array)) return null;
  if (expected.length !== actual.length)
    return `Length in bytes: expected ${expected.length}, received ${actual.length}`;
  const place = expected.findIndex((byte, index) => byte !== actual[index]);
  return place < 0
    ? null
    : `At byte ${place} of ${expected.length}: expected ${expected[place]}, received ${actual[place]}`;
}

interface Comparison {
  message: string;
  actual?: unknown;
  expected?: unknown;
}

const isComparison = (error: unknown): error is Error & Comparison =>
  error instanceof Error && 'actual' in error && 'expected' in error;

/**
 * Makes the error of a failed case readable: ids are named, and the first difference is part of the message.
 * Test runners print `actual` and `expected` as a diff.
 * @returns the same error
 */
export function readableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (isComparison(error)) {
    const bytes = differenceOfBytes(error.expected, error.actual);
    error.actual = readable(error.actual);
    error.expected = readable(error.expected);
    const difference =
      bytes ?? firstDifference(error.expected, error.actual, error.message.includes('to match object'));
    if (difference !== null) error.message = `${error.message}\n${difference}`;
  }
  error.message = readableText(error.message);
  return error;
}
