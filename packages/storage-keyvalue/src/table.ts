import { endOf, type KeyPart, keyOf } from './keys.ts';
import type { Session } from './session.ts';

/** How the keys of a table and its indexes are made from a value. */
export interface Shape<V, I extends string> {
  /** Returns the parts of the key of a value. All keys of a table have the same number of parts, of the same types. */
  key(value: V): readonly KeyPart[];
  /** By their names, functions that return the parts by which an index finds a value, or null if it does not. */
  readonly indexes: { readonly [N in I]: (value: V) => readonly KeyPart[] | null };
}

/** Values of a table or an index: those whose key begins with `under`, and has parts from `from` on and before `until` behind these. */
export interface Part {
  readonly under?: readonly KeyPart[];
  readonly from?: readonly KeyPart[];
  readonly until?: readonly KeyPart[];
  /** Whether the last value comes first. Default: false. */
  readonly backwards?: boolean;
}

/** A table: values in the order of their keys, which no caller changes. It keeps its indexes. */
export interface Table<V, I extends string = never> {
  /** Reads a value. Returns undefined if there is none, or if the key cannot be stored. */
  get(...key: readonly KeyPart[]): V | undefined;
  /** Reads all values whose key begins with these parts, in their order. */
  all(...under: readonly KeyPart[]): V[];
  /** Reads values in the order of their keys, as far as the caller asks for them. It may write once it has them. */
  scan(part: Part): Generator<V, void>;
  /** Reads values in the order of an index, as far as the caller asks for them. It may write once it has them. */
  by(index: I, part: Part): Generator<V, void>;
  /** Reads the first value that an index finds by these parts. */
  first(index: I, ...under: readonly KeyPart[]): V | undefined;
  /** Stores a value, in the place of one with its key. @throws Error if its key or a key of an index is too long to be stored */
  put(value: V): void;
  remove(...key: readonly KeyPart[]): void;
}

/** Creates a table in a session. */
export function createTable<V, I extends string>(session: Session, name: string, shape: Shape<V, I>): Table<V, I> {
  // A key of a table only ever has values of this table.
  const valueAt = (key: string): V | undefined => session.get(key) as V | undefined;
  const indexes = Object.entries<(value: V) => readonly KeyPart[] | null>(shape.indexes);

  /** Returns the key of the entry by which an index finds a value. It ends with the key of the value, so no two have the same. */
  const entryKey = (index: string, parts: readonly KeyPart[], value: V): string =>
    keyOf(`${name}.${index}`, [...parts, ...shape.key(value)]);

  function* entries(table: string, { under = [], from = [], until, backwards = false }: Part) {
    const start = keyOf(table, [...under, ...from]);
    const end = until === undefined ? endOf(keyOf(table, under)) : keyOf(table, [...under, ...until]);
    yield* session.range({ from: start, until: end, backwards });
  }

  /** Keeps the indexes when a value takes the place of another one. */
  function index(before: V | undefined, after: V | undefined, key: string): void {
    for (const [index, partsOf] of indexes) {
      const old = before === undefined ? null : partsOf(before);
      const next = after === undefined ? null : partsOf(after);
      if (areEqual(old, next)) continue;
      if (before !== undefined && old !== null) session.delete(entryKey(index, old, before));
      if (after !== undefined && next !== null) session.set(entryKey(index, next, after), key);
    }
  }

  const table: Table<V, I> = {
    get: (...key) => valueAt(keyOf(name, key)),
    all: (...under) => table.scan({ under }).toArray(),
    *scan(part) {
      for (const [, value] of entries(name, part)) yield value as V;
    },
    *by(index, part) {
      for (const [, key] of entries(`${name}.${index}`, part)) {
        const value = valueAt(key as string);
        if (value !== undefined) yield value;
      }
    },
    first(index, ...under) {
      for (const value of table.by(index, { under })) return value;
      return undefined;
    },
    put(value) {
      const key = keyOf(name, shape.key(value));
      index(valueAt(key), value, key);
      session.set(key, value);
    },
    remove(...parts) {
      const key = keyOf(name, parts);
      const before = valueAt(key);
      if (before === undefined) return;
      index(before, undefined, key);
      session.delete(key);
    },
  };
  return table;
}

function areEqual(a: readonly KeyPart[] | null, b: readonly KeyPart[] | null): boolean {
  if (a === null || b === null) return a === b;
  return a.length === b.length && a.every((part, place) => part === b[place]);
}
