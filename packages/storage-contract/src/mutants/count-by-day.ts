import type { Storage, VerificationRecord, VerificationRepository } from '@countersign/domain';
import { clientId } from '../records/ids.ts';
import { aQuery } from '../records/queries.ts';
import { countByDaySuite } from '../suites/count-by-day.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

type Count = VerificationRepository['countByDay'];

const DAY_MS = 24 * 3_600_000;

function counting(
  storage: Storage,
  count: (next: Count, ...given: Parameters<Count>) => ReturnType<Count>,
): Storage {
  return patched(storage, {
    verifications: { countByDay: (...given) => count(storage.verifications.countByDay, ...given) },
  });
}

/** Counts by a moment of its own, of those that it chooses. */
const countingBy =
  (momentOf: (record: VerificationRecord) => Date | null): Mutant['breakIn'] =>
  (storage) =>
    counting(storage, async (_, id, from, until) => {
      const { records } = await storage.verifications.list(id, aQuery());
      const days = new Map<string, number>();
      for (const record of records.filter(({ requestedAt }) => requestedAt >= from && requestedAt < until)) {
        const day = momentOf(record)?.toISOString().slice(0, 10);
        if (day !== undefined) days.set(day, (days.get(day) ?? 0) + 1);
      }
      return [...days].map(([day, count]) => ({ day, count }));
    });

export const countByDayMutants: readonly Mutant[] = mutantsOf(countByDaySuite, {
  'counts days of another zone': countingBy(({ requestedAt }) => new Date(requestedAt.getTime() + 3_600_000)),
  'counts days in summer time': countingBy(({ requestedAt }) => {
    const isSummer =
      requestedAt >= new Date('2026-03-29T01:00:00Z') && requestedAt < new Date('2026-10-25T01:00:00Z');
    return new Date(requestedAt.getTime() + (isSummer ? 3_600_000 : 0));
  }),
  'counts what is resolved on the day that it was': countingBy(
    ({ requestedAt, resolvedAt }) => resolvedAt ?? requestedAt,
  ),
  'counts active ones alone': countingBy(({ requestedAt, resolvedAt }) =>
    resolvedAt === null ? requestedAt : null,
  ),
  'counts the last moment too': (storage) =>
    counting(storage, (next, id, from, until) => next(id, from, new Date(until.getTime() + 1))),
  'leaves out the first moment': (storage) =>
    counting(storage, (next, id, from, until) => next(id, new Date(from.getTime() + 1), until)),
  'counts whole days': (storage) =>
    counting(storage, (next, id, from, until) =>
      next(id, new Date(Math.floor(from.getTime() / DAY_MS) * DAY_MS), until),
    ),
  'has days without any': (storage) =>
    counting(storage, async (next, id, from, until) => {
      const days = await next(id, from, until);
      const day = from.toISOString().slice(0, 10);
      return days.some((each) => each.day === day) ? days : [{ day, count: 0 }, ...days];
    }),
  'has moments for days': (storage) =>
    counting(storage, async (next, ...given) =>
      (await next(...given)).map(({ day, count }) => ({ day: `${day}T00:00:00.000Z`, count })),
    ),
  'has counts as text': (storage) =>
    counting(storage, async (next, ...given) =>
      (await next(...given)).map(({ day, count }) => ({ day, count: String(count) as unknown as number })),
    ),
  'counts for all clients': (storage) =>
    counting(storage, async (next, _, from, until) => {
      const counts = await Promise.all([1, 2, 3].map((n) => next(clientId(n), from, until)));
      return counts.flat();
    }),
  'counts nothing for a client that it does not know': (storage) =>
    counting(storage, async (next, id, ...given) => {
      if ((await storage.clients.find(id)) === null) throw new Error('no rows');
      return next(id, ...given);
    }),
});
