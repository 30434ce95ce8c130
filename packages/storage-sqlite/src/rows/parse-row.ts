import type { JsonObject } from '@countersign/domain';

export function parseBoolean(column: string, value: number): boolean {
  if (value !== 0 && value !== 1) throw new Error(`${column} is neither 0 nor 1`);
  return value === 1;
}

export function parseDate(column: string, value: number): Date {
  if (!Number.isSafeInteger(value)) throw new Error(`${column} is not a date`);
  return new Date(value);
}

export function parseDateOrNull(column: string, value: number | null): Date | null {
  return value === null ? null : parseDate(column, value);
}

export function parseJsonObject(column: string, text: string): JsonObject {
  // Most verifications that are read are new, without answers or a decision.
  if (text === '{}') return {};
  const value = json(column, text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new Error(`${column} is not a JSON object`);
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
  throw new Error(`${column} is not a JSON array`);
}

export function parseTexts(column: string, text: string): readonly string[] {
  return parseJsonArray(column, text).map((value) => {
    if (typeof value !== 'string') throw new Error(`${column} is not an array of texts`);
    return value;
  });
}

function json(column: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text.
    throw new Error(`${column} is not JSON`);
  }
}
