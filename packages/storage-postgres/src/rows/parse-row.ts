import type { JsonObject } from '@countersign/domain';

/** Columns in the order in which a statement names them. */
export type Row = readonly unknown[];

export function parseText(column: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error(`${column} is not text`);
}

export function parseTextOrNull(column: string, value: unknown): string | null {
  return value === null ? null : parseText(column, value);
}

export function parseInteger(column: string, value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new Error(`${column} is not an integer`);
}

export function parseNumber(column: string, value: unknown): number {
  if (Number.isFinite(value)) return value as number;
  throw new Error(`${column} is not a number`);
}

export function parseBoolean(column: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new Error(`${column} is neither true nor false`);
}

/** PostgreSQL's ISO output in UTC, which the connection asks for. */
const MOMENT = /^(\d{4,6})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?\+00(?::00)?$/;

export function parseDate(column: string, value: unknown): Date {
  const parts = typeof value === 'string' ? MOMENT.exec(value) : null;
  if (parts === null) throw new Error(`${column} is not a date`);
  const [, year, month, day, hour, minute, second, fraction = ''] = parts;
  const milliseconds = Number(fraction.padEnd(3, '0'));
  const seconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  return new Date(seconds + milliseconds);
}

export function parseDateOrNull(column: string, value: unknown): Date | null {
  return value === null ? null : parseDate(column, value);
}

export function parseJsonObject(column: string, value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error(`${column} is not a JSON object`);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseJsonArray(column: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${column} is not a JSON array`);
}

export function parseTexts(column: string, value: unknown): readonly string[] {
  return parseJsonArray(column, value).map((each) => {
    if (typeof each !== 'string') throw new Error(`${column} is not an array of texts`);
    return each;
  });
}

/** Writes a date for PostgreSQL, which expects years beyond 9999 without a sign. */
export function momentText(moment: Date): string {
  const text = moment.toISOString();
  return text.startsWith('+') ? text.replace(/^\+0*/, '') : text;
}

export function momentTextOrNull(moment: Date | null): string | null {
  return moment === null ? null : momentText(moment);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Whether the texts can be ids. Other texts find nothing, where PostgreSQL would report an error. Lower case only,
 * because ids are compared exactly.
 */
export function areIds(...texts: readonly string[]): boolean {
  return texts.every((text) => UUID.test(text));
}

export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** Whether PostgreSQL can store the text. Texts that it cannot store find nothing. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
