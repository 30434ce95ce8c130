import type { JsonObject, JsonValue } from '../input/json.ts';

/** What a form or an address sends may be an e-mail address, an essay or bytes that no database stores. */
const ID = /^[\w.:|-]{1,64}$/;

/** Returns a text that has the form of an id; null for anything else. */
export function auditId(value: unknown): string | null {
  return typeof value === 'string' && ID.test(value) ? value : null;
}

/** Returns a network address without characters that no address has. 45 characters are enough; a zone adds some. */
export function auditAddress(address: string): string {
  return address.replace(/[^\w.:%[\]-]/g, '').slice(0, 64);
}

/** Returns the details that are defined. */
export function auditDetail(detail: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const kept = Object.entries(detail).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return Object.fromEntries(kept);
}
