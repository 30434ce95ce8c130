import type { KeyPart, KeyValueStore, Table } from '@countersign/storage-keyvalue';

/** Takes back one change to a table. */
type Undo = () => void;

/** Creates an ordered key-value store in memory. Values are copied on their way in and out. */
export function createMemoryStore(): KeyValueStore {
  let changes: Undo[] = [];
  return {
    table: () => createTable((undo) => changes.push(undo)),
    transact(operation) {
      changes = [];
      try {
        return structuredClone(operation());
      } catch (error) {
        for (const undo of [...changes].reverse()) undo();
        throw error;
      }
    },
    close: async () => undefined,
  };
}

interface Row<V> {
  readonly key: string;
  value: V;
}

function createTable<V>(changed: (undo: Undo) => void): Table<V> {
  const byKey = new Map<string, Row<V>>();
  /** In the order of their keys. */
  const rows: Row<V>[] = [];

  function set(key: string, value: V | undefined): void {
    const row = byKey.get(key);
    const before = row?.value;
    if (value === undefined) {
      if (row !== undefined) rows.splice(placeOf(rows, key), 1);
      byKey.delete(key);
    } else if (row !== undefined) row.value = value;
    else {
      const added = { key, value };
      byKey.set(key, added);
      rows.splice(placeOf(rows, key), 0, added);
    }
    changed(() => set(key, before));
  }

  return {
    get: (...parts) => byKey.get(keyOf(parts) ?? '')?.value,
    all(...prefix) {
      const start = keyOf(prefix);
      if (start === null) return [];
      const found: V[] = [];
      for (let place = placeOf(rows, start); ; place += 1) {
        const row = rows[place];
        if (!row?.key.startsWith(start)) return found;
        found.push(row.value);
      }
    },
    put(parts, value) {
      const key = keyOf(parts);
      if (key === null) throw new Error(`The key ${JSON.stringify(parts)} cannot be stored`);
      set(key, structuredClone(value));
    },
    remove(...parts) {
      const key = keyOf(parts);
      if (key !== null) set(key, undefined);
    },
  };
}

/** Digits of a number in a key, so that keys are in the order of their numbers. */
const DIGITS = 16;

/** Joins the parts of a key, each with an end. Null if a part has the character that ends it. */
function keyOf(parts: readonly KeyPart[]): string | null {
  if (parts.some((part) => typeof part === 'string' && part.includes('\0'))) return null;
  return parts.map((part) => `${typeof part === 'number' ? String(part).padStart(DIGITS, '0') : part}\0`).join('');
}

/** Finds the place of a key among sorted rows, or where it would be inserted. */
function placeOf(rows: readonly { readonly key: string }[], key: string): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.key ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
