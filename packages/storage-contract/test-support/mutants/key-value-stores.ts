import {
  createSortedMap,
  type KeyRange,
  type KeyValueStore,
  type StoredEntry,
  type StoreReads,
} from '@countersign/storage-keyvalue';
import { type CrashingStore, crashSuite, keyValueStoreSuite } from '../../src/suites/key-value-store.ts';
import { apply, storeOn } from '../stores.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { roundTrip } from './patch.ts';

/** Replaces what operations read of a sound store. */
const reading =
  (change: (reads: StoreReads) => Partial<StoreReads>) =>
  (sound: KeyValueStore): KeyValueStore => ({
    ...sound,
    run: (operation) => sound.run((reads) => operation({ ...reads, ...change(reads) })),
  });

const ranging = (change: (range: KeyRange, read: StoreReads['range']) => Iterable<StoredEntry>) =>
  reading(({ range: read }) => ({ range: (range) => change(range, read) }));

/** Replaces the values that a sound store writes. */
const writing =
  (change: (value: unknown) => unknown) =>
  (sound: KeyValueStore): KeyValueStore => ({
    ...sound,
    run: (operation) =>
      sound.run((reads) => {
        const { result, writes } = operation(reads);
        return { result, writes: [...writes].map(({ key, value }) => ({ key, value: change(value) })) };
      }),
  });

/** Runs operations on what is there when they begin, and writes some time later. */
export const overlapping = (): KeyValueStore => {
  const map = createSortedMap<unknown>();
  return {
    async run(operation) {
      const { result, writes } = operation(map);
      const batch = [...writes];
      await roundTrip();
      apply(map, batch);
      return result;
    },
    close: async () => undefined,
  };
};

/** Makes each write of a batch as it comes. */
export const writingOneByOne = (): KeyValueStore => {
  const map = createSortedMap<unknown>();
  return {
    async run(operation) {
      const { result, writes } = operation(map);
      apply(map, writes);
      return result;
    },
    close: async () => undefined,
  };
};

const asJson = (value: unknown): unknown => (value === undefined ? value : JSON.parse(JSON.stringify(value)));

export const keyValueStoreMutants: readonly Mutant<KeyValueStore>[] = mutantsOf(keyValueStoreSuite, {
  'lets operations overlap': overlapping,
  'keeps the first writes of a batch that ends half-way': writingOneByOne,
  'answers an operation that threw': (sound) => ({
    ...sound,
    run: (operation) => sound.run(operation).catch(() => undefined as never),
  }),
  'hides why an operation threw': (sound) => ({
    ...sound,
    run: (operation) =>
      sound.run(operation).catch(() => {
        throw new Error('The transaction failed');
      }),
  }),
  'is not empty at first': (sound) => ({
    ...sound,
    run: async (operation) => {
      await sound.run(({ get }) => ({
        result: null,
        writes: get('a') === undefined ? [{ key: 'a', value: 0 }] : [],
      }));
      return sound.run(operation);
    },
  }),
  'never deletes': writing((value) => value ?? 'deleted'),
  'ignores case in keys': reading(({ get }) => ({ get: (key) => get(key.toLowerCase()) })),
  'ignores spaces at the end of keys': reading(({ get }) => ({ get: (key) => get(key.trimEnd()) })),
  'ignores the start of a range': ranging((range, read) => read({ ...range, from: 'a' })),
  'leaves out the start of a range': ranging((range, read) =>
    [...read(range)].filter(([key]) => key !== range.from),
  ),
  'includes the end of a range': ranging((range, read) => read({ ...range, until: `${range.until}\u0000` })),
  'ignores the direction of a range': ranging((range, read) => read({ ...range, backwards: false })),
  'limits a range before it turns it round': ranging((range, read) => {
    const entries = [...read({ ...range, backwards: false })];
    return range.backwards ? entries.reverse() : entries;
  }),
  'ignores the limit of a range': ranging((range, read) => read({ ...range, limit: 1_000 })),
  'returns up to 1,000 entries of a range': ranging((range, read) =>
    read({ ...range, limit: Math.min(range.limit, 1_000) }),
  ),
  'keeps the first 128 writes of a batch': (sound) => ({
    ...sound,
    run: (operation) =>
      sound.run((reads) => {
        const { result, writes } = operation(reads);
        return { result, writes: [...writes].slice(0, 128) };
      }),
  }),
  'orders keys as a dictionary does': ranging((range, read) => {
    const entries = [...read({ ...range, backwards: false })].sort(([a], [b]) => a.localeCompare(b, 'en'));
    return range.backwards ? entries.reverse() : entries;
  }),
  'keeps values as JSON': writing(asJson),
  'keeps no empty values': writing((value) =>
    value === '' || value === null || value === false ? undefined : value,
  ),
  'refuses long keys': (sound) => ({
    ...sound,
    run: (operation) =>
      sound.run((reads) => {
        const { result, writes } = operation(reads);
        const batch = [...writes];
        if (batch.some(({ key }) => key.length > 500)) throw new Error('A key is too long');
        return { result, writes: batch };
      }),
  }),
});

/** Writes to the data that survive a crash only some time after it answered. */
export const answeringEarly = (): CrashingStore => {
  const [map, disk] = [createSortedMap<unknown>(), createSortedMap<unknown>()];
  const store: KeyValueStore = {
    ...storeOn(map),
    async run(operation) {
      const { result, writes } = operation(map);
      const batch = [...writes];
      apply(map, batch);
      void roundTrip().then(() => apply(disk, batch));
      return result;
    },
  };
  return { store, crash: async () => storeOn(disk) };
};

/** Makes the writes of a batch on the disk one by one. */
export const losingHalf = (): CrashingStore => {
  const [map, disk] = [createSortedMap<unknown>(), createSortedMap<unknown>()];
  const store: KeyValueStore = {
    ...storeOn(map),
    async run(operation) {
      const { result, writes } = operation(map);
      const batch = [...writes];
      apply(map, batch);
      for (const write of batch) {
        apply(disk, [write]);
        await roundTrip();
      }
      return result;
    },
  };
  const crash = async (): Promise<KeyValueStore> => {
    const copy = createSortedMap<unknown>();
    for (const [key, value] of disk.range({ from: '', until: '\uffff', backwards: false, limit: Infinity }))
      copy.set(key, value);
    return storeOn(copy);
  };
  return { store, crash };
};

export const crashMutants: readonly Mutant<CrashingStore>[] = mutantsOf(crashSuite, {
  'answers before its batch is durable': answeringEarly,
  'loses half of a batch in a crash': losingHalf,
});
