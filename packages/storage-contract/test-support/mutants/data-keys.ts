import type {
  DataKeyEntry,
  DataKeyRepository,
  Storage,
  VerificationRecord,
  WrappedDataKey,
} from '@countersign/domain/storage';
import { clientId } from '../../src/records/ids.ts';
import { dataKeyListsSuite, dataKeysAtOnceSuite, dataKeysSuite } from '../../src/suites/data-keys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { type Break, both, dataKeys, fail, remembering, roundTrip, verifications } from './patch.ts';

const { countNotWrappedBy, listNotWrappedBy, listOneOfEachKey, replace } = dataKeys;
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

/** Changes records on their way out of the storage. */
const showsRecords = (show: (record: VerificationRecord) => VerificationRecord): Break =>
  both(
    verifications.find.result(show),
    verifications.findWithHistory.result((found) => ({ ...found, record: show(found.record) })),
  );

export const dataKeysMutants: readonly Mutant[] = mutantsOf(dataKeysSuite, {
  'returns an empty data key for none': dataKeys.find.override(
    async ({ next }, ...input) => (await next(...input)) ?? { wrappedBy: '', wrapped: '' },
  ),
  'returns records without data keys': showsRecords((record) => ({ ...record, dataKey: null })),
  'refuses the first data key': replace.override(async ({ next }, change) =>
    change.expected === null ? { outcome: 'conflict' } : next(change),
  ),
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
  'ignores the expected data key': replace.override(async ({ next, storage }, change) =>
    next({ ...change, expected: await stored(storage, change) }),
  ),
  'compares names of keys only': expects((present, expected) => present.wrappedBy === expected?.wrappedBy),
  'compares wrapped keys only': expects((present, expected) => present.wrapped === expected?.wrapped),
  'compares names without case': expects(
    (present, expected) => present.wrappedBy === expected?.wrappedBy.toLowerCase(),
  ),
  'replaces in another client’s verification': replace.override(async ({ next, storage }, change) => {
    const owner = await storage.verifications.findForAnyClient(change.verificationId);
    return next({ ...change, clientId: owner?.clientId ?? change.clientId });
  }),
  'finds another client’s data key': dataKeys.find.override(
    async ({ storage }, _, id) => (await storage.verifications.findForAnyClient(id))?.dataKey ?? null,
  ),
  'fails on an unknown verification': replace.override(async ({ next, storage }, change) => {
    const known = await storage.verifications.find(change.clientId, change.verificationId);
    return known === null ? fail('no rows') : next(change);
  }),
  'increments the version': replace.override(async ({ next, storage }, change) => {
    const answer = await next(change);
    const record = await storage.verifications.find(change.clientId, change.verificationId);
    if (record === null || answer.outcome === 'conflict') return answer;
    const { version } = record;
    await storage.verifications.commit({
      record: { ...record, version: version + 1 },
      expectedVersion: version,
      events: [],
    });
    return answer;
  }),
  'writes the data key of a commit': commit.override(async ({ next, storage }, change) => {
    const answer = await next(change);
    const { clientId, id: verificationId, dataKey } = change.record;
    const expected = await storage.dataKeys.find(clientId, verificationId);
    if (dataKey !== null) await storage.dataKeys.replace({ clientId, verificationId, expected, next: dataKey });
    return answer;
  }),
  'drops the data key with a commit': remembering(() => {
    const committed = new Set<string>();
    return both(
      showsRecords((record) => (committed.has(record.id) ? { ...record, dataKey: null } : record)),
      commit.before((change) => {
        if (change.record.dataKey === null) committed.add(change.record.id);
      }),
    );
  }),
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

type Entries = Awaited<ReturnType<DataKeyRepository['listNotWrappedBy']>>;

/** Chooses another page from all data keys that the key has not wrapped. */
const chooses = (choose: (entries: Entries, after: string | null, limit: number) => Entries): Break =>
  listNotWrappedBy.override(async ({ next }, key, after, limit) =>
    choose(await next(key, null, ALL), after, limit),
  );

export const dataKeyListsMutants: readonly Mutant[] = mutantsOf(dataKeyListsSuite, {
  'fails on an empty list': listNotWrappedBy.result((page) => (page.length === 0 ? fail('no rows') : page)),
  'lists keys wrapped by the given key': listNotWrappedBy.override(async ({ next }, key, after, limit) =>
    (await next('', after, ALL)).filter(({ dataKey }) => dataKey.wrappedBy === key).slice(0, limit),
  ),
  'lists all data keys': listNotWrappedBy.override(({ next }, _, after, limit) => next('', after, limit)),
  'lists the first client’s data keys only': listNotWrappedBy.result((page) =>
    page.filter((entry) => entry.clientId === clientId(1)),
  ),
  'counts without case': countNotWrappedBy.first((key) => key.toLowerCase()),
  'counts verifications without a data key': countNotWrappedBy.result((count) => count + 1),
  'orders by client': listNotWrappedBy.override(async ({ next }, key, after, limit) =>
    [...(await next(key, after, ALL))].sort((a, b) => (a.clientId < b.clientId ? -1 : 1)).slice(0, limit),
  ),
  'repeats the last entry of a page': chooses((all, after, limit) =>
    all.filter(({ verificationId }) => after === null || verificationId >= after).slice(0, limit),
  ),
  'starts every page at the beginning': chooses((all, _, limit) => all.slice(0, limit)),
  'continues after listed entries only': chooses((all, after, limit) => {
    const place = all.findIndex(({ verificationId }) => verificationId === after);
    return place === -1 && after !== null ? [] : all.slice(place + 1, place + 1 + limit);
  }),
  'ignores the limit': listNotWrappedBy.override(({ next }, key, after) => next(key, after, ALL)),
  'lists several data keys of one key': listOneOfEachKey.override(({ storage }, limit) =>
    storage.dataKeys.listNotWrappedBy('', null, limit),
  ),
  'takes keys that differ in case for one': listOneOfEachKey.result((found) => [
    ...new Map(found.map((entry) => [entry.dataKey.wrappedBy.toLowerCase(), entry])).values(),
  ]),
  'ignores the limit of keys': listOneOfEachKey.override(({ next }) => next(ALL)),
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
