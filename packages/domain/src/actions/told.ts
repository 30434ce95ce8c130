import type { JsonObject, JsonValue } from '../json.ts';

/**
 * Whatever a form or an address sent may be an e-mail, an essay or bytes that no database takes: of it, a line of the
 * audit log tells only what is an id in form, or one of the words that are known.
 */
const ID = /^[\w.:|-]{1,64}$/;

export function toldId(value: unknown): string | null {
  return typeof value === 'string' && ID.test(value) ? value : null;
}

export function toldWord<T extends JsonValue>(words: readonly T[], value: unknown): T | undefined {
  return words.find((word) => word === value);
}

/** Each known word once, in the order of the words. */
export function toldWords<T extends JsonValue>(words: readonly T[], values: unknown): readonly T[] | undefined {
  return Array.isArray(values) ? words.filter((word) => values.includes(word)) : undefined;
}

export function toldNumber(value: unknown): number | null | undefined {
  return value === null || (typeof value === 'number' && Number.isSafeInteger(value)) ? value : undefined;
}

/** A day as forms have it, `YYYY-MM-DD`. */
export function toldDay(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined;
}

export function toldMoment(value: unknown): string | null | undefined {
  if (value === null) return null;
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
}

/** A network address as it may be stored: 45 characters are enough for any, and a zone has its own. */
export function toldAddress(address: string): string {
  return address.replace(/[^\w.:%[\]-]/g, '').slice(0, 64);
}

/** What a line says of settings. Those that are undefined were not given, or are not told. */
export type ToldDetail = { readonly [key: string]: JsonValue | undefined };

export function toldDetail(detail: ToldDetail): JsonObject {
  const told = Object.entries(detail).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return Object.fromEntries(told);
}
