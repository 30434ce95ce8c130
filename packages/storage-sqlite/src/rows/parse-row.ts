import type { JsonObject } from '@countersign/domain';

/**
 * Parses a row that leaves the database.
 * @throws Error that names the row and the column, never the value, which may be personal data
 */
export function parseRow<T>(what: string, id: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The stored ${what} ${id} is corrupt: ${reason}`, { cause });
  }
}

/** Parses a column with a fixed set of values. */
export function parseEnum<T extends string>(column: string, values: readonly T[], value: string): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new Error(`unknown ${column}`);
  return found;
}

export function parseEnumOrNull<T extends string>(
  column: string,
  values: readonly T[],
  value: string | null,
): T | null {
  return value === null ? null : parseEnum(column, values, value);
}

export function parseBoolean(column: string, value: number): boolean {
  if (value !== 0 && value !== 1) throw new Error(`${column} is neither 0 nor 1`);
  return value === 1;
}

export function parseDate(column: string, value: number): Date {
  if (!Number.isSafeInteger(value)) throw new Error(`${column} is no moment`);
  return new Date(value);
}

export function parseDateOrNull(column: string, value: number | null): Date | null {
  return value === null ? null : parseDate(column, value);
}

export function parseJsonObject(column: string, text: string): JsonObject {
  // Most verifications that are read are new: nothing was answered yet, and nothing decided.
  if (text === '{}') return {};
  const value = json(column, text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Error(`${column} is no JSON object`);
}

export function isJsonObject(text: string): boolean {
  try {
    parseJsonObject('', text);
    return true;
  } catch {
    return false;
  }
}

export function parseJsonArray(column: string, text: string): readonly unknown[] {
  const value = json(column, text);
  if (Array.isArray(value)) return value;
  throw new Error(`${column} is no JSON array`);
}

function json(column: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What the parser says quotes the text.
    throw new Error(`${column} is no JSON`);
  }
}
