import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SUBJECT_TYPES } from './flow.ts';
import {
  countOf,
  type DayCount,
  isDeep,
  type PageSlice,
  type PlannedQuery,
  planPage,
  skipDays,
  type VerificationGroup,
} from './page-plan.ts';
import { isActive, STATUSES, type Status } from './status.ts';
import { SORT_FIELDS } from './verification-repository.ts';

/** The fields of a verification that lists filter or sort by. */
interface Listed {
  readonly id: string;
  readonly status: Status;
  readonly type: (typeof SUBJECT_TYPES)[number];
  readonly requestedAt: Date;
  readonly resolvedAt: Date | null;
  readonly subjectReference: string;
  readonly currentStep: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const FIRST_DAY = 20_500;

/** Few different values, so that ties, empty groups, empty days and days of many verifications are frequent. */
const someVerifications: fc.Arbitrary<Listed[]> = fc
  .array(
    fc.record({
      status: fc.constantFrom(...STATUSES),
      type: fc.constantFrom(...SUBJECT_TYPES),
      day: fc.integer({ min: 0, max: 5 }),
      time: fc.constantFrom(0, 1, 40_000_000, DAY_MS - 1),
      resolved: fc.integer({ min: 1, max: 3 }),
      subjectReference: fc.constantFrom('a', 'b', 'c'),
      currentStep: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 60 },
  )
  .map((all) =>
    all.map(({ day, time, resolved, ...rest }, index) => ({
      ...rest,
      id: String(index).padStart(3, '0'),
      requestedAt: new Date((FIRST_DAY + day) * DAY_MS + time),
      resolvedAt: isActive(rest.status) ? null : new Date((FIRST_DAY + day + resolved) * DAY_MS),
    })),
  );

const WHOLE_SLICE = { orderedBy: 'requestedAt', requestedFrom: undefined, requestedUntil: undefined } as const;

const FIRST_PAGE: PlannedQuery = {
  status: undefined,
  type: undefined,
  sortBy: 'requestedAt',
  sortOrder: 'desc',
  offset: 0,
  limit: 20,
};

const someQuery: fc.Arbitrary<PlannedQuery> = fc.record({
  status: fc.option(fc.constantFrom(...STATUSES), { nil: undefined }),
  type: fc.option(fc.constantFrom(...SUBJECT_TYPES), { nil: undefined }),
  sortBy: fc.constantFrom(...SORT_FIELDS),
  sortOrder: fc.constantFrom('asc', 'desc'),
  offset: fc.oneof(fc.integer({ min: 0, max: 70 }), fc.constant(1e11)),
  limit: fc.integer({ min: 1, max: 30 }),
});

describe('planPage', () => {
  it('for every query, its slices are the page', () => {
    fc.assert(
      fc.property(someVerifications, someQuery, (verifications, query) => {
        const slices = planPage(query, groupsOf(verifications));

        expect(idsOf(slices, verifications)).toEqual(pageOf(verifications, query));
      }),
      { numRuns: 2_000 },
    );
  });

  it('for every query, slices with their days skipped are the page, however deep', () => {
    fc.assert(
      fc.property(someVerifications, someQuery, (verifications, query) => {
        const slices = planPage(query, groupsOf(verifications)).flatMap((slice) =>
          slice.orderedBy === 'requestedAt' ? skipDays(slice, daysOf(slice, verifications)) : [slice],
        );

        expect(idsOf(slices, verifications)).toEqual(pageOf(verifications, query));
      }),
      { numRuns: 2_000 },
    );
  });

  it('for every query, no slice skips more than half of its run, and with days no more than half of a day', () => {
    fc.assert(
      fc.property(someVerifications, someQuery, (verifications, query) => {
        for (const slice of planPage(query, groupsOf(verifications))) {
          expect(slice.offset).toBeLessThanOrEqual(countOf(slice.groups) / 2);
          if (slice.orderedBy !== 'requestedAt') continue;
          const days = daysOf(slice, verifications);
          // Several groups of the slice can have verifications on one day.
          const sums = [...Map.groupBy(days, ({ day }) => day).values()];
          const largest = Math.max(...sums.map((ofDay) => ofDay.reduce((sum, { count }) => sum + count, 0)));
          for (const part of skipDays(slice, days)) expect(part.offset).toBeLessThanOrEqual(largest / 2);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(
    SORT_FIELDS.flatMap((sortBy) => (['asc', 'desc'] as const).map((sortOrder) => [sortBy, sortOrder] as const)),
  )('%s %s: pages of each size and filter have no gaps and no repeats', (sortBy, sortOrder) => {
    const [verifications] = fc.sample(someVerifications, { seed: 7, numRuns: 1 }) as [Listed[]];
    for (const status of [undefined, ...STATUSES]) {
      for (const type of [undefined, ...SUBJECT_TYPES]) {
        for (const limit of [1, 7, 100]) {
          const all = { status, type, sortBy, sortOrder, offset: 0, limit: 1_000 };
          const paged: string[] = [];
          for (let offset = 0; offset < verifications.length; offset += limit) {
            paged.push(...idsOf(planPage({ ...all, offset, limit }, groupsOf(verifications)), verifications));
          }
          expect(paged).toEqual(pageOf(verifications, all));
        }
      }
    }
  });

  it('reads only groups that match and have verifications', () => {
    const groups: VerificationGroup[] = [
      { status: 'pending', type: 'kyc', count: 5 },
      { status: 'approved', type: 'kyc', count: 0 },
      { status: 'rejected', type: 'kyc', count: -1 },
      { status: 'pending', type: 'kyb', count: 5 },
    ];

    const [slice, ...rest] = planPage({ ...FIRST_PAGE, type: 'kyc' }, groups);

    expect(rest).toEqual([]);
    expect(slice?.groups).toEqual([{ status: 'pending', type: 'kyc', count: 5 }]);
  });

  it('has no slices past the end', () => {
    const groups = [{ status: 'pending', type: 'kyc', count: 5 }] as const;

    expect(planPage({ ...FIRST_PAGE, offset: 5 }, groups)).toEqual([]);
    expect(planPage({ ...FIRST_PAGE, offset: 1e11 }, groups)).toEqual([]);
    expect(planPage(FIRST_PAGE, [])).toEqual([]);
  });

  it('reads a page in the middle in the order of the list', () => {
    const groups = [{ status: 'pending', type: 'kyc', count: 60 }] as const;

    expect(planPage({ ...FIRST_PAGE, offset: 20 }, groups)).toEqual([
      { ...WHOLE_SLICE, groups, direction: 'desc', offset: 20, limit: 20, reversed: false },
    ]);
  });

  it('reads the last page of a million from the other end', () => {
    const groups = [{ status: 'pending', type: 'kyc', count: 1_000_000 }] as const;

    expect(planPage({ ...FIRST_PAGE, offset: 999_990 }, groups)).toEqual([
      { ...WHOLE_SLICE, groups, direction: 'asc', offset: 0, limit: 10, reversed: true },
    ]);
  });
});

describe('skipDays', () => {
  const groups = [{ status: 'pending', type: 'kyc', count: 400 }] as const;
  const slice: PageSlice = { ...WHOLE_SLICE, groups, direction: 'desc', offset: 110, limit: 20, reversed: false };
  const days = [1, 2, 3, 4].map((day) => ({ day, count: 100 }));
  const startOf = (day: number) => new Date(day * DAY_MS);

  it('begins in the day of the first verification', () => {
    expect(skipDays(slice, days)).toEqual([{ ...slice, requestedUntil: startOf(4), offset: 10 }]);
    expect(skipDays({ ...slice, direction: 'asc' }, days)).toEqual([
      { ...slice, direction: 'asc', requestedFrom: startOf(2), offset: 10 },
    ]);
  });

  it('reads the end of a day from its end, and the rest of the page after it', () => {
    const ofDay = { ...slice, direction: 'asc', requestedFrom: startOf(3), requestedUntil: startOf(4), offset: 0 };

    expect(skipDays({ ...slice, offset: 190 }, days)).toEqual([
      { ...ofDay, limit: 10, reversed: true },
      { ...slice, requestedUntil: startOf(3), offset: 0, limit: 10 },
    ]);
    expect(skipDays({ ...slice, offset: 190, reversed: true }, days)).toEqual([
      { ...slice, requestedUntil: startOf(3), offset: 0, limit: 10, reversed: true },
      { ...ofDay, limit: 10 },
    ]);
  });

  it('reads one slice if the page ends within the day', () => {
    const ofDay = { ...slice, direction: 'asc', requestedFrom: startOf(3), requestedUntil: startOf(4) };

    expect(skipDays({ ...slice, offset: 180, limit: 10 }, days)).toEqual([
      { ...ofDay, offset: 10, limit: 10, reversed: true },
    ]);
  });

  it('begins in the next day if the slice skips a whole day', () => {
    expect(skipDays({ ...slice, offset: 100 }, days)).toEqual([
      { ...slice, requestedUntil: startOf(4), offset: 0 },
    ]);
  });

  it('adds up several counts of a day and ignores a negative one', () => {
    const counted = [...days, { day: 4, count: 5 }, { day: 4, count: -7 }];

    expect(skipDays(slice, counted)).toEqual([{ ...slice, requestedUntil: startOf(4), offset: 5 }]);
  });

  it('has no slices if the days have fewer verifications than the slice skips', () => {
    expect(skipDays(slice, days.slice(0, 1))).toEqual([]);
  });
});

it('isDeep: only an order by request time can skip days, and only a deep slice should', () => {
  const slice = { ...WHOLE_SLICE, groups: [], direction: 'desc', limit: 20, reversed: false } as const;

  expect(isDeep({ ...slice, offset: 1_000 })).toBe(false);
  expect(isDeep({ ...slice, offset: 1_001 })).toBe(true);
  expect(isDeep({ ...slice, offset: 1_001, orderedBy: 'currentStep' })).toBe(false);
});

function groupsOf(verifications: readonly Listed[]): VerificationGroup[] {
  return STATUSES.flatMap((status) =>
    SUBJECT_TYPES.map((type) => {
      const count = verifications.filter((one) => one.status === status && one.type === type).length;
      return { status, type, count };
    }),
  );
}

function isIn(groups: readonly VerificationGroup[]): (one: Listed) => boolean {
  return ({ status, type }) => groups.some((group) => group.status === status && group.type === type);
}

function daysOf({ groups }: PageSlice, verifications: readonly Listed[]): DayCount[] {
  return verifications
    .filter(isIn(groups))
    .map(({ requestedAt }) => ({ day: Math.floor(requestedAt.getTime() / DAY_MS), count: 1 }));
}

/** Reads slices as a storage does. */
function idsOf(slices: readonly PageSlice[], verifications: readonly Listed[]): string[] {
  return slices.flatMap(
    ({ groups, orderedBy, direction, requestedFrom, requestedUntil, offset, limit, reversed }) => {
      const ids = verifications
        .filter(isIn(groups))
        .filter(({ requestedAt }) => requestedFrom === undefined || requestedAt >= requestedFrom)
        .filter(({ requestedAt }) => requestedUntil === undefined || requestedAt < requestedUntil)
        .sort((a, b) => (direction === 'asc' ? 1 : -1) * compare(a, b, orderedBy))
        .slice(offset, offset + limit)
        .map(({ id }) => id);
      return reversed ? ids.reverse() : ids;
    },
  );
}

/** The page as the port describes it. */
function pageOf(verifications: readonly Listed[], query: PlannedQuery): string[] {
  const { status, type, sortBy, sortOrder, offset, limit } = query;
  const nullsLast = ({ [sortBy]: value }: Listed) => Number(value === null);
  return verifications
    .filter((one) => (status === undefined || one.status === status) && (type === undefined || one.type === type))
    .sort((a, b) => nullsLast(a) - nullsLast(b) || (sortOrder === 'asc' ? 1 : -1) * compare(a, b, sortBy))
    .slice(offset, offset + limit)
    .map(({ id }) => id);
}

function compare(a: Listed, b: Listed, field: (typeof SORT_FIELDS)[number]): number {
  for (const key of [field, 'requestedAt', 'id'] as const) {
    const [left, right] = [a[key] ?? '', b[key] ?? ''];
    if (left < right) return -1;
    if (left > right) return 1;
  }
  return 0;
}
