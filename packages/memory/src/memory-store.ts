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

function createTable<V>(changed: (undo: Undo) => void): Table<V> {
  const values = new Map<string, V>();
  /** The keys of the values, in their order. */
  const keys: string[] = [];

  function set(key: string, value: V | undefined): void {
    const before = values.get(key);
    if (value === undefined) values.delete(key);
    else values.set(key, value);
    if (before === undefined && value !== undefined) keys.splice(placeOf(keys, key), 0, key);
    if (before !== undefined && value === undefined) keys.splice(placeOf(keys, key), 1);
    changed(() => set(key, before));
  }

  return {
    get: (...parts) => values.get(keyOf(parts) ?? ''),
    all(...prefix) {
      const start = keyOf(prefix);
      if (start === null) return [];
      const found: V[] = [];
      for (let place = placeOf(keys, start); keys[place]?.startsWith(start); place += 1)
        found.push(values.get(keys[place] as string) as V);
      return found;
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

/** Finds the place of a key in sorted keys, or where it would be inserted. */
function placeOf(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
