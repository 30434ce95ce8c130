import type { DataKeyEntry, DataKeyRepository, Storage, WrappedDataKey } from '@countersign/domain/storage';
import { dataKeyListsSuite, dataKeysAtOnceSuite, dataKeysSuite } from '../../src/suites/data-keys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, dataKeys, remembering, roundTrip, verifications } from './patch.ts';

const { countNotWrappedBy, listOneOfEachKey, replace } = dataKeys;
const { commit } = verifications;

type Change = Parameters<DataKeyRepository['replace']>[0];

const stored = ({ dataKeys }: Storage, { clientId, verificationId }: Change): Promise<WrappedDataKey | null> =>
  dataKeys.find(clientId, verificationId);

/** Takes other stored keys for the expected one. */
const expects = (isExpected: (stored: WrappedDataKey, expected: WrappedDataKey | null) => boolean): Break =>
  replace.override(async ({ next, storage }, change) => {
    const present = await stored(storage, change);
    return next(
      present !== null && isExpected(present, change.expected) ? { ...change, expected: present } : change,
    );
  });

export const dataKeysMutants: readonly Mutant[] = mutantsOf(dataKeysSuite, {
  'drops the data key of a creation': verifications.createCharged.input(({ record }) => ({
    record: { ...record, dataKey: null },
  })),
  'truncates long data keys': replace.input(({ next }) => ({
    next: { ...next, wrapped: next.wrapped.slice(0, 2_000) },
  })),
  'trims names of keys': replace.input(({ next }) => ({ next: { ...next, wrappedBy: next.wrappedBy.trim() } })),
  'answers conflict for the same key': replace.override(async ({ next }, change) =>
    change.expected?.wrapped === change.next.wrapped ? { outcome: 'conflict' } : next(change),
  ),
  'compares names without case': expects(
    (present, expected) => present.wrappedBy === expected?.wrappedBy.toLowerCase(),
  ),
});

const versionOf = async (storage: Storage, id: string): Promise<number> =>
  (await storage.verifications.findForAnyClient(id))?.version ?? 0;

export const dataKeysAtOnceMutants: readonly Mutant[] = mutantsOf(dataKeysAtOnceSuite, {
  'reads, then replaces': replace.override(async ({ next, storage }, change) => {
    if ((await stored(storage, change))?.wrapped !== change.expected?.wrapped) return { outcome: 'conflict' };
    await roundTrip();
    for (;;) {
      const answer = await next({ ...change, expected: await stored(storage, change) });
      if (answer.outcome === 'replaced') return answer;
    }
  }),
  'replaces one at a time': replace.oneAtATime(async () => ({ outcome: 'conflict' })),
  'reads the record and writes it back whole': replace.override(async ({ next, storage }, change) => {
    const read = await storage.verifications.find(change.clientId, change.verificationId);
    await roundTrip();
    const present = await storage.verifications.find(change.clientId, change.verificationId);
    if (read !== null && present !== null) {
      await storage.verifications.commit({ record: read, expectedVersion: present.version, events: [] });
    }
    return next(change);
  }),
  'writes an old data key with a commit': commit.override(async ({ next, storage }, change) => {
    const { clientId, id: verificationId } = change.record;
    const read = await storage.dataKeys.find(clientId, verificationId);
    await roundTrip();
    const expected = await storage.dataKeys.find(clientId, verificationId);
    if (read !== null) await storage.dataKeys.replace({ clientId, verificationId, expected, next: read });
    return next(change);
  }),
  'answers conflict when the verification changed': replace.override(async ({ next, storage }, change) => {
    const before = await versionOf(storage, change.verificationId);
    await roundTrip();
    const isSame = before === (await versionOf(storage, change.verificationId));
    return isSame ? next(change) : { outcome: 'conflict' };
  }),
});

export const dataKeyListsMutants: readonly Mutant[] = mutantsOf(dataKeyListsSuite, {
  'counts without case': countNotWrappedBy.first((key) => key.toLowerCase()),
  'takes keys that differ in case for one': listOneOfEachKey.result((found) => [
    ...new Map(found.map((entry) => [entry.dataKey.wrappedBy.toLowerCase(), entry])).values(),
  ]),
  'remembers keys that wrap none any more': remembering(() => {
    const known = new Map<string, DataKeyEntry>();
    return both(
      listOneOfEachKey.override(async ({ next }, limit) => {
        for (const entry of await next(limit)) known.set(entry.dataKey.wrappedBy, entry);
        return [...known.values()].slice(0, limit);
      }),
      replace.override(async ({ next }, change) => {
        const { clientId: client, verificationId, expected } = change;
        if (expected !== null) {
          known.set(expected.wrappedBy, { clientId: client, verificationId, dataKey: expected });
        }
        return next(change);
      }),
    );
  }),
  'caches its count': remembering(() => {
    const remembered = new Map<string, number>();
    return countNotWrappedBy.result((count, key) => {
      remembered.set(key, remembered.get(key) ?? count);
      return remembered.get(key) ?? 0;
    });
  }),
});
