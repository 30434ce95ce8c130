import { STATUSES, type Status, type StatusCounts } from '@countersign/domain';
import { statusCounts, type VerificationCounts, type VerificationRecord } from '@countersign/domain/storage';
import { clientId } from '../../src/records/ids.ts';
import { countByStatusSuite } from '../../src/suites/count-by-status.ts';
import { countersSuite, countsSuite } from '../../src/suites/counts.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import { type Break, both, counters, fail, moved, remembering, roundTrip, verifications } from './patch.ts';

const { commit, counts, countByStatus } = verifications;
const { differences, recount } = counters;

const DAY_MS = 24 * 3_600_000;

/** What a wrong way of counting takes from a record; a record without it is not counted. */
type Counted = Pick<VerificationRecord, 'type' | 'status'> & { readonly at: Date };

/** Counts records in another way. */
const countsAs = (countedAs: (record: VerificationRecord) => Counted | null): Break =>
  counts.override(async ({ storage }, id, days) => {
    const found = new Map<
      string,
      { day: number; type: VerificationRecord['type']; counts: Record<Status, number> }
    >();
    for (const record of await verificationsOf(storage, id)) {
      const seen = countedAs(record);
      if (seen === null) continue;
      const day = Math.floor(seen.at.getTime() / DAY_MS);
      if (days !== undefined && (day < days.from || day >= days.until)) continue;
      const entry = found.get(`${day} ${seen.type}`) ?? { day, type: seen.type, counts: { ...statusCounts([]) } };
      entry.counts[seen.status] += 1;
      found.set(`${day} ${seen.type}`, entry);
    }
    return [...found.values()];
  });

const atMoment = (momentOf: (record: VerificationRecord) => Date): Break =>
  countsAs((record) => ({ ...record, at: momentOf(record) }));

const firstThree = [1, 2, 3].map(clientId);

/** Adds to the pending ones of each day and type. */
const plusPending = (all: readonly VerificationCounts[], more: number): VerificationCounts[] =>
  all.map((each) => ({ ...each, counts: { ...each.counts, pending: each.counts.pending + more } }));

/** Adds what some calls did wrongly to all counts. */
const drifts = (drifting: (drift: (by: number) => void) => Break): Break =>
  remembering(() => {
    let sum = 0;
    return both(
      drifting((by) => {
        sum += by;
      }),
      counts.result((all) => plusPending(all, sum)),
    );
  });

export const countsMutants: readonly Mutant[] = mutantsOf(countsSuite, {
  'counts days in summer time': atMoment(({ requestedAt }) => {
    const isSummer =
      requestedAt >= new Date('2026-03-29T01:00:00Z') && requestedAt < new Date('2026-10-25T01:00:00Z');
    return moved(requestedAt, isSummer ? 3_600_000 : 0);
  }),
  'counts by the day of resolution': atMoment(({ requestedAt, resolvedAt }) => resolvedAt ?? requestedAt),
  'counts active verifications only': countsAs((record) =>
    record.resolvedAt === null ? { ...record, at: record.requestedAt } : null,
  ),
  'counts every status as pending': countsAs((record) => ({
    ...record,
    at: record.requestedAt,
    status: 'pending',
  })),
  'counts every type as kyc': countsAs((record) => ({ ...record, at: record.requestedAt, type: 'kyc' })),
  'returns counts as text': counts.result((all) =>
    all.map((each) => ({
      ...each,
      counts: Object.assign({ ...each.counts }, { pending: String(each.counts.pending) }),
    })),
  ),
  'counts for all clients': counts.override(async ({ next }, _, days) =>
    (await Promise.all(firstThree.map((id) => next(id, days)))).flat(),
  ),
  'fails for an unknown client': counts.override(async ({ next, storage }, id, days) =>
    (await storage.clients.find(id)) === null ? fail('no rows') : next(id, days),
  ),
  'counts a change that keeps the status as a move': drifts((drift) =>
    commit.override(async ({ next, storage }, change) => {
      const before = await storage.verifications.find(change.record.clientId, change.record.id);
      if (before?.status === change.record.status) drift(1);
      return next(change);
    }),
  ),
  'loses one of two changes at once': remembering(() => {
    let [running, lost] = [0, 0];
    return both(
      commit.override(async ({ next }, change) => {
        running += 1;
        if (running > 1) lost += 1;
        const result = await next(change);
        await roundTrip();
        running -= 1;
        return result;
      }),
      counts.result((all) => plusPending(all, lost)),
    );
  }),
});

export const countersMutants: readonly Mutant[] = mutantsOf(countersSuite, {
  'counts twice after a recount': drifts((drift) => recount.before(() => drift(1))),
  'finds a difference where there is none': differences.override(async ({ next }, id) => [
    ...(await next(id)),
    { clientId: id, day: 1, type: 'kyc', kept: statusCounts([['pending', 1]]), counted: statusCounts([]) },
  ]),
  'fails to compare an unknown client': differences.override(async ({ next, storage }, id) =>
    (await storage.clients.find(id)) === null ? fail('no rows') : next(id),
  ),
});

export const countByStatusMutants: readonly Mutant[] = mutantsOf(countByStatusSuite, {
  'leaves out a status without verifications': countByStatus.result(
    (counts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) as StatusCounts,
  ),
  'returns counts as text': countByStatus.result((counts) =>
    Object.assign({ ...counts }, { pending: String(counts.pending) }),
  ),
  'does not count final statuses': countByStatus.result((counts) => ({ ...counts, approved: 0, rejected: 0 })),
  'counts one client': countByStatus.override(async ({ storage }) => {
    const records = await verificationsOf(storage, clientId(1));
    return statusCounts(
      STATUSES.map((status) => [status, records.filter((record) => record.status === status).length]),
    );
  }),
});
