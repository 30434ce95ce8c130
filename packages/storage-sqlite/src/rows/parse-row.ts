import type { JsonObject } from '@countersign/domain';

/**
 * Rows are parsed when they leave the database. One that breaks its type is a fault that names the row and the
 * column, and never the value: that may be personal data.
 */
export function parseRow<T>(what: string, id: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The stored ${what} ${id} is corrupt: ${reason}`, { cause });
  }
}

/** The value, if it is one of those known. */
export function known<T extends string>(column: string, values: readonly T[], value: string): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new Error(`unknown ${column}`);
  return found;
}

export function knownOrNull<T extends string>(
  column: string,
  values: readonly T[],
  value: string | null,
): T | null {
  return value === null ? null : known(column, values, value);
}

export function flag(column: string, value: number): boolean {
  if (value !== 0 && value !== 1) throw new Error(`${column} is neither 0 nor 1`);
  return value === 1;
}

export function moment(column: string, value: number): Date {
  if (!Number.isSafeInteger(value)) throw new Error(`${column} is no moment`);
  return new Date(value);
}

export function momentOrNull(column: string, value: number | null): Date | null {
  return value === null ? null : moment(column, value);
}

export function jsonObject(column: string, text: string): JsonObject {
  // Most verifications that are read are new: nothing was answered yet, and nothing decided.
  if (text === '{}') return {};
  const value = json(column, text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Error(`${column} is no JSON object`);
}

export function isJsonObject(text: string): boolean {
  try {
    jsonObject('', text);
    return true;
  } catch {
    return false;
  }
}

export function jsonArray(column: string, text: string): readonly unknown[] {
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
