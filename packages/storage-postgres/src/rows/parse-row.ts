import type { JsonObject } from '@countersign/domain';

/** Columns in the order in which a statement names them. */
export type Row = readonly unknown[];

/**
 * Rows are parsed when they leave the database. One that breaks its type is a fault that names the row and the
 * column, and never the value: that may be personal data.
 */
export function parseRow<T>(what: string, id: unknown, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The stored ${what} ${String(id)} is corrupt: ${reason}`, { cause });
  }
}

export function text(column: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new Error(`${column} is no text`);
}

export function textOrNull(column: string, value: unknown): string | null {
  return value === null ? null : text(column, value);
}

export function whole(column: string, value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new Error(`${column} is no whole number`);
}

export function flag(column: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new Error(`${column} is neither true nor false`);
}

/** The value, if it is one of those known. */
export function known<T extends string>(column: string, values: readonly T[], value: unknown): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new Error(`unknown ${column}`);
  return found;
}

/** PostgreSQL's ISO output in UTC, which the connection asks for. */
const MOMENT = /^(\d{4,6})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?\+00(?::00)?$/;

export function moment(column: string, value: unknown): Date {
  const parts = typeof value === 'string' ? MOMENT.exec(value) : null;
  if (parts === null) throw new Error(`${column} is no moment`);
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

export function momentOrNull(column: string, value: unknown): Date | null {
  return value === null ? null : moment(column, value);
}

export function jsonObject(column: string, value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error(`${column} is no JSON object`);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function jsonArray(column: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${column} is no JSON array`);
}
