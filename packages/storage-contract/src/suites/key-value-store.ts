import type { KeyRange, KeyValueStore, StoredEntry, StoreWrite } from '@countersign/storage-keyvalue';
import { expect } from 'vitest';
import { refusalOf } from '../records/at-once.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** A store whose process can be killed. */
export interface CrashingStore {
  readonly store: KeyValueStore;
  /** Opens another store on the data as they would be if the process of `store` had been killed by now. `store` stays open. */
  crash(): Promise<KeyValueStore>;
}

const EVERYTHING: KeyRange = { from: 'a', until: 'z', backwards: false, limit: 100 };
/** Operations that begin together. */
const TOGETHER = 20;
/** The most entries of a range that `createKeyValueStorage` reads in one call. */
const LARGEST_LIMIT = 2_048;
/** More writes than a batch of the storage has, except in a copy. */
const LARGE_BATCH = 3_000;

const set = (key: string, value: unknown): StoreWrite => ({ key, value });

function write(store: KeyValueStore, ...writes: readonly StoreWrite[]): Promise<void> {
  return store.run(() => ({ result: undefined, writes }));
}

/** Reads entries, up to a hundred by default. */
function read(store: KeyValueStore, given: Partial<KeyRange> = {}): Promise<readonly StoredEntry[]> {
  return store.run(({ range }) => ({ result: [...range({ ...EVERYTHING, ...given })], writes: [] }));
}

async function readAndClose(store: KeyValueStore): Promise<readonly StoredEntry[]> {
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}

/** Adds one to the number of a key, and returns what it was. */
function increment(store: KeyValueStore, key: string): Promise<number> {
  return store.run(({ get }) => {
    const before = Number(get(key) ?? 0);
    return { result: before, writes: [set(key, before + 1)] };
  });
}

/** Writes of which only the first can be made. */
function* endingHalfway(): Generator<StoreWrite, void> {
  yield set('a', 'new');
  yield set('b', 'new');
  throw new Error('The third write cannot be made');
}

/** A store of `createKeyValueStorage`: what it reads, and that an operation is one. */
export const keyValueStoreSuite: Suite<KeyValueStore> = suiteOf<KeyValueStore>('key-value store', {
  'run: a new store has no entries': async (store) => {
    expect(await read(store)).toEqual([]);
    expect(await store.run(({ get }) => ({ result: get('a'), writes: [] }))).toBeUndefined();
  },

  'run: the next operation reads what was set, replaced and deleted': async (store) => {
    await write(store, set('a', 1), set('b', 2), set('c', 3));
    await write(store, set('b', 'two'), set('c', undefined), set('d', undefined));

    const values = await store.run(({ get }) => ({ result: ['a', 'b', 'c', 'd'].map(get), writes: [] }));
    expect(values).toEqual([1, 'two', undefined, undefined]);
    expect(await read(store)).toEqual([
      ['a', 1],
      ['b', 'two'],
    ]);
  },

  'get: finds the whole key alone': async (store) => {
    await write(store, set('ab', 1));

    const values = await store.run(({ get }) => ({
      result: ['a', 'ab', 'AB', 'abc', 'ab '].map(get),
      writes: [],
    }));
    expect(values).toEqual([undefined, 1, undefined, undefined, undefined]);
  },

  'range: begins with `from` and ends before `until`, in both directions': async (store) => {
    await write(store, ...['d', 'b', 'e', 'a', 'c'].map((key) => set(key, key)));

    const keys = async (given: Partial<KeyRange>) => (await read(store, given)).map(([key]) => key);
    expect(await keys({ from: 'b', until: 'd' })).toEqual(['b', 'c']);
    expect(await keys({ from: 'b', until: 'd', backwards: true })).toEqual(['c', 'b']);
    expect(await keys({ from: 'aa', until: 'cc' })).toEqual(['b', 'c']);
    expect(await keys({ from: 'aa', until: 'cc', backwards: true })).toEqual(['c', 'b']);
    expect(await keys({ from: 'f' })).toEqual([]);
    expect(await keys({ from: 'c', until: 'c' })).toEqual([]);
  },

  'range: returns up to its limit from its end': async (store) => {
    await write(store, ...['a', 'b', 'c', 'd'].map((key) => set(key, key)));

    expect(await read(store, { limit: 2 })).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    expect(await read(store, { limit: 1, backwards: true })).toEqual([['d', 'd']]);
  },

  'range: returns 2,048 entries of a batch of 3,000, and fewer only at the end': async (store) => {
    const keys = Array.from({ length: LARGE_BATCH }, (_, index) => `a${String(index).padStart(4, '0')}`);
    await write(store, ...keys.map((key) => set(key, key)));

    for (const backwards of [false, true]) {
      const inOrder = backwards ? keys.toReversed() : keys;
      const part = async (given: Partial<KeyRange>) =>
        (await read(store, { ...given, backwards, limit: LARGEST_LIMIT })).map(([key]) => key);
      const first = await part({});
      const last = String(first.at(-1));
      const rest = await part(backwards ? { until: last } : { from: `${last}0` });

      const promise =
        'A range with fewer entries than its limit must be at its end, and all writes of a batch be made';
      expect([first.length, rest.length], promise).toEqual([LARGEST_LIMIT, LARGE_BATCH - LARGEST_LIMIT]);
      expect([...first, ...rest]).toEqual(inOrder);
    }
  },

  'range: keys are in the order of their bytes, capitals first': async (store) => {
    const keys = ['a\u0001', 'a\u0002', 'a\u00011', 'a\u00012', 'aB', 'ab', 'aä', 'a\ud7ff\u0003', 'a😀'];
    await write(store, ...keys.map((key) => set(key, 0)));

    const sorted = [...keys].sort();
    expect((await read(store)).map(([key]) => key)).toEqual(sorted);
    expect((await read(store, { backwards: true })).map(([key]) => key)).toEqual(sorted.reverse());
  },

  'values: are read as they were written': async (store) => {
    const value = {
      text: 'ä\u0000😀"\\',
      numbers: [0, -1.5, Number.MAX_SAFE_INTEGER],
      nothing: null,
      dates: [new Date(0), new Date('2026-03-01T10:00:00.123Z')],
      bytes: new Uint8Array([0, 127, 255]),
      deep: [{ is: true, list: [] }],
    };
    await write(store, set('a', value), set('b', 'text'), set('c', false), set('d', null), set('e', ''));

    expect(await read(store)).toEqual([
      ['a', value],
      ['b', 'text'],
      ['c', false],
      ['d', null],
      ['e', ''],
    ]);
  },

  'keys: of 1,900 bytes are stored': async (store) => {
    const long = `a${'ä'.repeat(949)}b`;
    await write(store, set(long, 1));

    expect(await read(store)).toEqual([[long, 1]]);
  },

  'serialisable: of operations that begin together, each reads what those before it wrote': async (store) => {
    const read = await Promise.all(Array.from({ length: TOGETHER }, () => increment(store, 'a')));

    const promise = 'Operations must run one after the other, each on what the one before it wrote';
    const inTurn = Array.from({ length: TOGETHER }, (_, index) => index);
    expect(
      read.sort((a, b) => a - b),
      `${promise}: ${TOGETHER} increments read ${read.join(', ')}`,
    ).toEqual(inTurn);
    expect(await increment(store, 'a'), `${promise}: increments were lost`).toBe(TOGETHER);
  },

  'atomic: an operation that throws writes nothing and rejects with its error': async (store) => {
    await write(store, set('a', 'old'));
    const failing = store.run(({ get }) => {
      throw new Error(`Refused: ${String(get('a'))}`);
    });

    expect(await refusalOf(failing), 'The call must reject with the error of its operation').toEqual(
      new Error('Refused: old'),
    );
    expect(await read(store)).toEqual([['a', 'old']]);
    expect(await increment(store, 'b'), 'The store must work after an operation that threw').toBe(0);
  },

  'atomic: a batch that ends half-way is undone': async (store) => {
    await write(store, set('a', 'old'));

    const refusal = await refusalOf(store.run(() => ({ result: undefined, writes: endingHalfway() })));

    expect(refusal, 'A call whose batch cannot be written must reject').not.toBeNull();
    const promise = 'All writes of a batch must be made, or none';
    expect(await read(store), `${promise}: some of a batch that ended half-way were kept`).toEqual([['a', 'old']]);
  },
});

/** What a store that keeps its data has after its process was killed. */
export const crashSuite: Suite<CrashingStore> = suiteOf<CrashingStore>('key-value store after a crash', {
  'durable: what was answered is there after a crash': async ({ store, crash }) => {
    await write(store, set('a', 1), set('b', 2));
    await write(store, set('b', 3), set('c', 4));

    const after = await crash();

    const promise = 'A call must resolve once its batch is durable';
    const entries = await readAndClose(after);
    expect(entries, `${promise}: a crash after the answer lost some of it`).toEqual([
      ['a', 1],
      ['b', 3],
      ['c', 4],
    ]);
  },

  'atomic: a crash between batch and answer leaves a batch whole or not at all': async ({ store, crash }) => {
    await write(store, set('a', 'old'), set('b', 'old'));

    const answer = write(store, set('a', 'new'), set('b', 'new'));
    const after = await crash();

    const entries = await readAndClose(after);
    await answer;
    const values = entries.map(([, value]) => value);
    expect(['old,old', 'new,new'], 'A crash must leave all writes of a batch, or none').toContain(values.join());
  },
});

/** The suites of a store of `createKeyValueStorage`. */
export const KEY_VALUE_STORE_SUITES: readonly Suite<KeyValueStore>[] = [keyValueStoreSuite];
/** Those of a store that keeps its data. */
export const CRASH_SUITES: readonly Suite<CrashingStore>[] = [crashSuite];
