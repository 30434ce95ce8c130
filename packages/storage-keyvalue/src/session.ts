import { copyOf } from './copy.ts';
import { isStorable, startAfter } from './keys.ts';
import { createSortedMap, type SortedMap } from './sorted-map.ts';
import type { KeyRange, KeyValueStore, StoredEntry, StoreReads, StoreWrite } from './store.ts';

/** Number of entries that are read first of a range. Most readers need no more. */
const FIRST_PART_ENTRIES = 8;
/** Each further read of a range is larger by this factor. */
const GROWTH_FACTOR = 4;
const LARGEST_PART_ENTRIES = 2_048;

/** Names of tables begin with a letter. */
const EVERYTHING: KeyRange = { from: 'A', until: '~', backwards: false, limit: Infinity };

/** The keys of a range, and the end to start from. */
export type Span = Omit<KeyRange, 'limit'>;

/** Reads and writes of the operation that runs. Its reads see its writes, which the store receives when it returns. */
export interface Session {
  /**
   * Runs an operation on the store. Its input is copied before the store lets it wait, and its result is copied too: no caller holds a
   * stored object.
   */
  run<Input extends unknown[], R>(operation: (...input: Input) => R, input: Input): Promise<R>;
  /** Reads the value of a key. Returns undefined for a key that cannot be stored. */
  get(key: string): unknown;
  /** Sets the value of a key. @throws Error if the key cannot be stored */
  set(key: string, value: unknown): void;
  delete(key: string): void;
  /** Reads a range part by part. Operations write once they have read all that they need of it. */
  range(span: Span): Iterable<StoredEntry>;
}

/** Creates the session of a store. Operations are synchronous, so at most one runs. */
export function createSession(store: Pick<KeyValueStore, 'run'>): Session {
  let reads: StoreReads | undefined;
  let writes: SortedMap<StoreWrite> | undefined;

  const running = (): StoreReads => {
    if (reads === undefined) throw new Error('No operation runs');
    return reads;
  };
  const write = (key: string, value: unknown): void => {
    writes ??= createSortedMap();
    writes.set(key, { key, value });
  };

  const written = (): StoreWrite[] => writes?.range(EVERYTHING).map(([, one]) => one) ?? [];

  /** Reads a part of a range with the writes of the operation. `last` is the key at its end; undefined at the end of the range. */
  function partOf(range: KeyRange): {
    readonly entries: readonly StoredEntry[];
    readonly last: string | undefined;
  } {
    const stored = [...running().range(range)];
    const changed = writes?.range(range) ?? [];
    const lastStored = stored.length < range.limit ? undefined : stored.at(-1)?.[0];
    if (changed.length === 0) return { entries: stored, last: lastStored };
    const merged = new Map(stored);
    for (const [key, { value }] of changed) {
      if (value === undefined) merged.delete(key);
      else merged.set(key, value);
    }
    const isBefore = (a: string, b: string): boolean => (range.backwards ? a > b : a < b);
    const lastChanged = changed.length < range.limit ? undefined : changed.at(-1)?.[0];
    // Entries after the nearer of both ends may be incomplete.
    const last = [lastStored, lastChanged].reduce((a, b) =>
      a === undefined || (b !== undefined && isBefore(b, a)) ? b : a,
    );
    const entries = [...merged].filter(([key]) => last === undefined || !isBefore(last, key));
    return { entries: entries.sort(([a], [b]) => (isBefore(a, b) ? -1 : 1)), last };
  }

  return {
    async run(operation, input) {
      const given = copyOf(input);
      return store.run((stored) => {
        reads = stored;
        writes = undefined;
        try {
          const result = copyOf(operation(...given));
          return { result, writes: written() };
        } finally {
          reads = undefined;
        }
      });
    },
    get(key) {
      const change = writes?.get(key);
      if (change !== undefined) return change.value;
      return isStorable(key) ? running().get(key) : undefined;
    },
    set(key, value) {
      if (!isStorable(key)) throw new Error(`A key of ${key.length} characters is too long to be stored`);
      write(key, value);
    },
    delete: (key) => write(key, undefined),
    *range(span) {
      if (!isStorable(span.from)) return;
      let left = span;
      for (let limit = FIRST_PART_ENTRIES; ; limit = Math.min(limit * GROWTH_FACTOR, LARGEST_PART_ENTRIES)) {
        const { entries, last } = partOf({ ...left, limit });
        yield* entries;
        if (last === undefined) return;
        left = { ...left, ...(left.backwards ? { until: last } : { from: startAfter(last) }) };
      }
    },
  };
}
