import type { DataKeyRepository, Storage, VerificationRecord, WrappedDataKey } from '@countersign/domain';
import { clientId } from '../../src/records/ids.ts';
import { dataKeyListsSuite, dataKeysAtOnceSuite, dataKeysSuite } from '../../src/suites/data-keys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import { answers, asks, type Break, both, fail, on, oneAtATime, remembering, roundTrip } from './patch.ts';

type Change = Parameters<DataKeyRepository['replace']>[0];

const stored = ({ dataKeys }: Storage, { clientId, verificationId }: Change): Promise<WrappedDataKey | null> =>
  dataKeys.find(clientId, verificationId);

/** Takes other stored keys for the expected one. */
const expects = (isExpected: (stored: WrappedDataKey, expected: WrappedDataKey | null) => boolean): Break =>
  on('dataKeys.replace')(async ({ next, storage }, change) => {
    const present = await stored(storage, change);
    return next(
      present !== null && isExpected(present, change.expected) ? { ...change, expected: present } : change,
    );
  });

/** Changes records on their way out of the storage. */
const showsRecords = (show: (record: VerificationRecord) => VerificationRecord): Break =>
  both(
    answers('verifications.find')(show),
    answers('verifications.findWithEvents')((found) => ({ ...found, record: show(found.record) })),
  );

export const dataKeysMutants: readonly Mutant[] = mutantsOf(dataKeysSuite, {
  'makes one up': on('dataKeys.find')(
    async ({ next }, ...given) => (await next(...given)) ?? { wrappedBy: '', wrapped: '' },
  ),
  'shows none in records': showsRecords((record) => ({ ...record, dataKey: null })),
  'fails where there is none yet': on('dataKeys.replace')(async ({ next }, change) =>
    change.expected === null ? { outcome: 'conflict' } : next(change),
  ),
  'drops the one that a creation brings': asks('verifications.createCharged')(({ record }) => ({
    record: { ...record, dataKey: null },
  })),
  'cuts long ones': asks('dataKeys.replace')(({ next }) => ({
    next: { ...next, wrapped: next.wrapped.slice(0, 2_000) },
  })),
  'trims names of keys': asks('dataKeys.replace')(({ next }) => ({
    next: { ...next, wrappedBy: next.wrappedBy.trim() },
  })),
  'takes one that is the same for a conflict': on('dataKeys.replace')(async ({ next }, change) =>
    change.expected?.wrapped === change.next.wrapped ? { outcome: 'conflict' } : next(change),
  ),
  'replaces whatever is there': on('dataKeys.replace')(async ({ next, storage }, change) =>
    next({ ...change, expected: await stored(storage, change) }),
  ),
  'compares the names of keys alone': expects((present, expected) => present.wrappedBy === expected?.wrappedBy),
  'compares the wrapped keys alone': expects((present, expected) => present.wrapped === expected?.wrapped),
  'compares without regard to case': expects(
    (present, expected) => present.wrappedBy === expected?.wrappedBy.toLowerCase(),
  ),
  'replaces in another client’s verification': on('dataKeys.replace')(async ({ next, storage }, change) => {
    const owner = await storage.verifications.findForAnyClient(change.verificationId);
    return next({ ...change, clientId: owner?.clientId ?? change.clientId });
  }),
  'finds another client’s': on('dataKeys.find')(
    async ({ storage }, _, id) => (await storage.verifications.findForAnyClient(id))?.dataKey ?? null,
  ),
  'fails on what it does not know': on('dataKeys.replace')(async ({ next, storage }, change) => {
    const known = await storage.verifications.find(change.clientId, change.verificationId);
    return known === null ? fail('no rows') : next(change);
  }),
  'counts versions for it': on('dataKeys.replace')(async ({ next, storage }, change) => {
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
  'writes the one of a commit': on('verifications.commit')(async ({ next, storage }, change) => {
    const answer = await next(change);
    const { clientId, id: verificationId, dataKey } = change.record;
    const expected = await storage.dataKeys.find(clientId, verificationId);
    if (dataKey !== null) await storage.dataKeys.replace({ clientId, verificationId, expected, next: dataKey });
    return answer;
  }),
  'loses it with a commit': remembering(() => {
    const committed = new Set<string>();
    return both(
      showsRecords((record) => (committed.has(record.id) ? { ...record, dataKey: null } : record)),
      on('verifications.commit')(({ next }, change) => {
        if (change.record.dataKey === null) committed.add(change.record.id);
        return next(change);
      }),
    );
  }),
});

const versionOf = async (storage: Storage, id: string): Promise<number> =>
  (await storage.verifications.findForAnyClient(id))?.version ?? 0;

export const dataKeysAtOnceMutants: readonly Mutant[] = mutantsOf(dataKeysAtOnceSuite, {
  'looks first and replaces later': on('dataKeys.replace')(async ({ next, storage }, change) => {
    if ((await stored(storage, change))?.wrapped !== change.expected?.wrapped) return { outcome: 'conflict' };
    await roundTrip();
    for (;;) {
      const answer = await next({ ...change, expected: await stored(storage, change) });
      if (answer.outcome === 'replaced') return answer;
    }
  }),
  'replaces one at a time': oneAtATime('dataKeys.replace')(async () => ({ outcome: 'conflict' })),
  'reads the record and writes it back whole': on('dataKeys.replace')(async ({ next, storage }, change) => {
    const read = await storage.verifications.find(change.clientId, change.verificationId);
    await roundTrip();
    const present = await storage.verifications.find(change.clientId, change.verificationId);
    if (read !== null && present !== null) {
      await storage.verifications.commit({ record: read, expectedVersion: present.version, events: [] });
    }
    return next(change);
  }),
  'commits over a replacement': on('verifications.commit')(async ({ next, storage }, change) => {
    const { clientId, id: verificationId } = change.record;
    const read = await storage.dataKeys.find(clientId, verificationId);
    await roundTrip();
    const expected = await storage.dataKeys.find(clientId, verificationId);
    if (read !== null) await storage.dataKeys.replace({ clientId, verificationId, expected, next: read });
    return next(change);
  }),
  'takes a change of the verification for a conflict': on('dataKeys.replace')(
    async ({ next, storage }, change) => {
      const before = await versionOf(storage, change.verificationId);
      await roundTrip();
      const isSame = before === (await versionOf(storage, change.verificationId));
      return isSame ? next(change) : { outcome: 'conflict' };
    },
  ),
});

type Entries = Awaited<ReturnType<DataKeyRepository['listNotWrappedBy']>>;

/** Chooses the page in another way, from all keys that are not wrapped by the one given. */
const chooses = (choose: (entries: Entries, after: string | null, limit: number) => Entries): Break =>
  on('dataKeys.listNotWrappedBy')(async ({ next }, key, after, limit) =>
    choose(await next(key, null, ALL), after, limit),
  );

export const dataKeyListsMutants: readonly Mutant[] = mutantsOf(dataKeyListsSuite, {
  'fails where there is nothing': answers('dataKeys.listNotWrappedBy')((page) =>
    page.length === 0 ? fail('no rows') : page,
  ),
  'lists what this key has wrapped': on('dataKeys.listNotWrappedBy')(async ({ next }, key, after, limit) =>
    (await next('', after, ALL)).filter(({ dataKey }) => dataKey.wrappedBy === key).slice(0, limit),
  ),
  'lists all of them': on('dataKeys.listNotWrappedBy')(({ next }, _, after, limit) => next('', after, limit)),
  'lists the first client’s alone': answers('dataKeys.listNotWrappedBy')((page) =>
    page.filter((entry) => entry.clientId === clientId(1)),
  ),
  'counts without regard to case': on('dataKeys.countNotWrappedBy')(({ next }, key) => next(key.toLowerCase())),
  'counts verifications without one': answers('dataKeys.countNotWrappedBy')((count) => count + 1),
  'orders by client': on('dataKeys.listNotWrappedBy')(async ({ next }, key, after, limit) =>
    [...(await next(key, after, ALL))].sort((a, b) => (a.clientId < b.clientId ? -1 : 1)).slice(0, limit),
  ),
  'begins with the one it is to go on after': chooses((all, after, limit) =>
    all.filter(({ verificationId }) => after === null || verificationId >= after).slice(0, limit),
  ),
  'begins anew every time': chooses((all, _, limit) => all.slice(0, limit)),
  'goes on only after one that it lists': chooses((all, after, limit) => {
    const place = all.findIndex(({ verificationId }) => verificationId === after);
    return place === -1 && after !== null ? [] : all.slice(place + 1, place + 1 + limit);
  }),
  'passes over the limit': on('dataKeys.listNotWrappedBy')(({ next }, key, after) => next(key, after, ALL)),
  'remembers its count': remembering(() => {
    const remembered = new Map<string, number>();
    return answers('dataKeys.countNotWrappedBy')((count, key) => {
      remembered.set(key, remembered.get(key) ?? count);
      return remembered.get(key) ?? 0;
    });
  }),
});
