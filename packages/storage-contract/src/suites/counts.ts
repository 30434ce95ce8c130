import { STATUSES } from '@countersign/domain';
import type { Storage, VerificationCounts, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { aQuery } from '../records/queries.ts';
import { aRecord, inState, keyedBy, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification, givenVerifications } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Numbers of verifications by day, type and status, which lists and charts show. */
export const countsSuite: Suite = suiteGiven('counts', givenClient, {
  'counts: belong to days in UTC, to the millisecond, in summer and winter': async (storage) => {
    await givenRequests(storage, [
      '2026-03-28T23:59:59.999Z',
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T23:59:59.999Z',
      '2026-03-30T00:00:00.000Z',
      '2026-12-31T23:59:59.999Z',
      '2027-01-01T00:00:00.000Z',
      '2028-02-29T12:00:00.000Z',
    ]);

    expect(sorted(await storage.verifications.counts(clientId(1)))).toEqual([
      pendingOn('2026-03-28', 1),
      pendingOn('2026-03-29', 3),
      pendingOn('2026-03-30', 1),
      pendingOn('2026-12-31', 1),
      pendingOn('2027-01-01', 1),
      pendingOn('2028-02-29', 1),
    ]);
  },

  'counts: include the first day and exclude the last, and leave out days without verifications': async (
    storage,
  ) => {
    await givenRequests(storage, [
      '2026-05-01T23:59:59.999Z',
      '2026-05-02T00:00:00.000Z',
      '2026-05-04T23:59:59.999Z',
      '2026-05-05T00:00:00.000Z',
    ]);
    const days = (from: string, until: string) => ({ from: dayNumber(from), until: dayNumber(until) });
    const countsIn = async (from: string, until: string) =>
      sorted(await storage.verifications.counts(clientId(1), days(from, until)));

    expect(await countsIn('2026-05-02', '2026-05-05')).toEqual([
      pendingOn('2026-05-02', 1),
      pendingOn('2026-05-04', 1),
    ]);
    expect(await countsIn('2026-05-04', '2026-05-05')).toEqual([pendingOn('2026-05-04', 1)]);
    for (const [from, until] of [
      ['2026-05-03', '2026-05-04'],
      ['2026-05-04', '2026-05-04'],
      ['2026-05-04', '2026-05-02'],
    ] as const) {
      expect(await countsIn(from, until)).toEqual([]);
    }
  },

  'counts: tell types and statuses of one client apart': async (storage) => {
    await givenClient(storage, 2);
    const requestedAt = new Date('2026-05-02T08:00:00.000Z');
    let n = 0;
    for (const [index, status] of STATUSES.entries()) {
      for (const type of Array.from({ length: index + 3 }, (_, copy) => (copy < 2 ? 'kyb' : 'kyc'))) {
        n += 1;
        await givenVerification(storage, n, { requestedAt, status, type });
      }
    }
    await givenVerification(storage, 99, { requestedAt, clientId: clientId(2) });

    const counts = sorted(await storage.verifications.counts(clientId(1)));

    const day = dayNumber('2026-05-02');
    const each = (countOf: (index: number) => number) =>
      Object.fromEntries(STATUSES.map((status, index) => [status, countOf(index)]));
    expect(counts).toEqual([
      { day, type: 'kyb', counts: each(() => 2) },
      { day, type: 'kyc', counts: each((index) => index + 1) },
    ]);
    expect(await storage.verifications.counts(clientId(2))).toEqual([pendingOn('2026-05-02', 1)]);
    expect(await storage.verifications.counts(clientId(3))).toEqual([]);
  },

  'counts: a change of status moves a verification, and another change does not': async (storage) => {
    let record = await givenVerification(storage, 1);
    for (const status of ['submitted', 'submitted', 'action_needed', 'submitted', 'approved'] as const) {
      record = moved(record, status);
      expect(await commit(storage, record)).toEqual({ outcome: 'committed' });

      expect(await storage.verifications.counts(clientId(1))).toEqual([countsOn('2026-03-10', { [status]: 1 })]);
    }
  },

  'counts: creations and changes that are refused do not count': async (storage) => {
    const record = await givenVerification(storage, 1, { status: 'submitted', ...keyedBy('key') });
    const before = await storage.verifications.counts(clientId(1));

    const refused = [
      await createCharged(storage, aRecord(2, keyedBy('key'))),
      await createCharged(storage, aRecord(3, { subjectReference: record.subjectReference })),
      await createCharged(storage, aRecord(4), { allowance: 1 }),
      await commit(storage, moved(record, 'approved'), { expectedVersion: 1 }),
      await commit(storage, moved(aRecord(5), 'approved')),
    ];

    expect(tally(refused)).toEqual({ key_used: 1, duplicate: 1, limit_reached: 1, conflict: 2 });
    expect(await storage.verifications.counts(clientId(1))).toEqual(before);
  },

  'counts: after creations and changes at once they are the numbers of the records': async (storage) => {
    await givenClient(storage, 2);
    const records = [
      ...(await givenVerifications(storage, [1, 20], { status: 'submitted', requestedAt: minute(0) })),
      ...(await givenVerifications(storage, [21, 40], { status: 'action_needed', requestedAt: minute(0) })),
    ];
    const targets = ['action_needed', 'approved', 'submitted', 'rejected'] as const;

    await Promise.all([
      ...records.flatMap((record, index) => {
        const status = targets[index % 4] ?? 'submitted';
        return [commit(storage, moved(record, status)), commit(storage, moved(record, 'submitted'))];
      }),
      ...range(50, 69).map((n) => createCharged(storage, aRecord(n, { subjectReference: `subject-${n % 15}` }))),
      ...range(70, 79).map((n) => createCharged(storage, aRecord(n, { clientId: clientId(2), type: 'kyb' }))),
    ]);

    for (const client of [clientId(1), clientId(2)]) {
      expect(sorted(await storage.verifications.counts(client))).toEqual(await countedOf(storage, client));
    }
  },

  'counts: opposite changes at once, in any order, all end and leave the numbers of the records': async (
    storage,
  ) => {
    let [left, right] = [
      await givenVerifications(storage, [1, 25], { status: 'submitted', requestedAt: minute(0) }),
      await givenVerifications(storage, [26, 50], { status: 'action_needed', requestedAt: minute(0) }),
    ];
    for (const _ of range(1, 4)) {
      const [back, forth] = [
        left.map((record) => moved(record, 'action_needed')),
        right.map((record) => moved(record, 'submitted')).reverse(),
      ];
      const changes = back.flatMap((record, index) => [record, forth[index] as VerificationRecord]);
      const outcomes = await atOnce(changes.length, (index) =>
        commit(storage, changes[index] as VerificationRecord),
      );
      expect(tally(outcomes)).toEqual({ committed: 50 });
      [left, right] = [forth, back];
    }
    expect(await storage.verifications.counts(clientId(1))).toEqual([
      countsOn('2026-03-10', { submitted: 25, action_needed: 25 }),
    ]);
  },
});

/** Checks and corrections of kept counts. */
export const countersSuite: Suite = suiteGiven('corrected counts', givenClient, {
  'differences: none after creations and changes, also of a client without verifications': async (storage) => {
    await givenClient(storage, 2);
    for (const [index, status] of STATUSES.entries()) await givenVerification(storage, index + 1, { status });

    for (const client of [1, 2, 3]) expect(await storage.counters.differences(clientId(client))).toEqual([]);
  },

  'recount: changes nothing that is right': async (storage) => {
    const { requestedAt } = await givenVerification(storage, 1, { status: 'submitted' });
    await givenVerification(storage, 2, { type: 'kyb' });
    const before = sorted(await storage.verifications.counts(clientId(1)));
    const day = dayNumber(requestedAt.toISOString());

    await storage.counters.recount({ clientId: clientId(1), day, type: 'kyc' });
    await storage.counters.recount({ clientId: clientId(1), day: day - 1, type: 'kyc' });

    expect(sorted(await storage.verifications.counts(clientId(1)))).toEqual(before);
    expect(await storage.counters.differences(clientId(1))).toEqual([]);
  },

  'recount: loses no change that runs at the same time': async (storage) => {
    const records = await givenVerifications(storage, [1, 12], { requestedAt: minute(0) });
    const day = dayNumber(minute(0).toISOString());

    await Promise.all(
      records.flatMap((record, index) => [
        commit(storage, { ...record, ...inState('submitted', 'kyc', minute(0)), version: 2, eventCount: 2 }),
        storage.counters.recount({ clientId: clientId(1), day, type: 'kyc' }),
        createCharged(storage, aRecord(20 + index, { id: verificationId(20 + index), requestedAt: minute(0) })),
      ]),
    );

    expect(await storage.verifications.counts(clientId(1))).toEqual([
      countsOn('2026-03-10', { pending: 12, submitted: 12 }),
    ]);
  },
});

const DAY_MS = 24 * 3_600_000;

/** The day of a moment, in days since 1970-01-01. */
const dayNumber = (moment: string): number => Math.floor(Date.parse(moment) / DAY_MS);

const NONE = Object.fromEntries(STATUSES.map((status) => [status, 0])) as VerificationCounts['counts'];

function countsOn(day: string, counts: Partial<VerificationCounts['counts']>): VerificationCounts {
  return { day: dayNumber(day), type: 'kyc', counts: { ...NONE, ...counts } };
}

const pendingOn = (day: string, pending: number): VerificationCounts => countsOn(day, { pending });

/** The earliest day first: a storage may return them in any order. */
const sorted = (counts: readonly VerificationCounts[]): VerificationCounts[] =>
  [...counts].sort((a, b) => a.day - b.day || (a.type < b.type ? -1 : 1));

/** Counts the records of a client one by one. */
async function countedOf({ verifications }: Storage, client: string): Promise<VerificationCounts[]> {
  const { records } = await verifications.list(client, aQuery({ limit: 1_000 }));
  const found = new Map<string, VerificationCounts>();
  for (const { requestedAt, type, status } of records) {
    const day = dayNumber(requestedAt.toISOString());
    const { counts } = found.get(`${day} ${type}`) ?? { counts: NONE };
    found.set(`${day} ${type}`, { day, type, counts: { ...counts, [status]: counts[status] + 1 } });
  }
  return sorted([...found.values()]);
}

/** One verification of the first client for each moment. */
async function givenRequests(storage: Storage, moments: readonly string[]): Promise<void> {
  for (const [index, moment] of moments.entries()) {
    await givenVerification(storage, index + 1, { requestedAt: new Date(moment) });
  }
}
