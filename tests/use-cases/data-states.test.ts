import {
  DATA_STATES,
  dataStateOf,
  erasureDue,
  isHeld,
  isHidden,
  legalEndOf,
  NO_RETENTION_FACTS,
  RETAINED_OUTCOMES,
  type Retained,
  type RetentionRules,
} from '@countersign/domain/retention';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DataStateRow, documentedDataStates, ENDS, type End, matches } from './documented-data-states.ts';

const DECIDED = new Date('2026-03-10T12:00:00Z');

function retained(outcome: Retained['outcome'], facts: Partial<Retained> = {}): Retained {
  return { ...NO_RETENTION_FACTS, outcome, decidedAt: outcome === null ? null : DECIDED, ...facts };
}

/** The end of a period in UTC, computed apart from the code under test: one month and one day after the other. */
function after(event: Date, period: string): Date {
  const [, years, months, days] = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?$/.exec(period) ?? expect.fail(period);
  const ahead = 12 * Number(years ?? 0) + Number(months ?? 0);
  if (ahead === 0 && Number(days ?? 0) === 0) return event;
  let [year, month] = [event.getUTCFullYear(), event.getUTCMonth()];
  for (let n = 0; n < ahead; n += 1) [year, month] = month === 11 ? [year + 1, 0] : [year, month + 1];
  const last = new Date(Date.UTC(year, month, event.getUTCDate()));
  // A month without that day: its last one.
  while (last.getUTCMonth() !== month) last.setUTCDate(last.getUTCDate() - 1);
  for (let n = 0; n <= Number(days ?? 0); n += 1) last.setUTCDate(last.getUTCDate() + 1);
  return last;
}

const maxOf = (...dates: readonly (Date | null)[]): Date =>
  new Date(Math.max(...dates.flatMap((date) => (date === null ? [] : [date.getTime()]))));

/** The moments of the table for a verification; null: never. */
function endsOf(given: Retained, { policy, floor }: RetentionRules): Record<End, Date | null> {
  const { outcome, decidedAt, relationshipEndedAt, heldUntil, erasureRequestedAt } = given;
  const ends = { never: null, 'end of the hold': heldUntil, request: erasureRequestedAt };
  if (outcome === null || decidedAt === null)
    return { ...ends, 'end of the legal obligation': null, 'end of policy': null };
  if (outcome !== 'approved') {
    return {
      ...ends,
      'end of the legal obligation': after(decidedAt, floor[outcome]),
      'end of policy': after(decidedAt, policy[outcome]),
    };
  }
  const longest = after(decidedAt, policy.approvedLongest);
  if (relationshipEndedAt === null)
    return {
      ...ends,
      'end of the legal obligation': maxOf(longest, after(decidedAt, floor.approved)),
      'end of policy': longest,
    };
  const ended = maxOf(decidedAt, relationshipEndedAt);
  const byPolicy = after(ended, policy.approvedAfterEnd);
  return {
    ...ends,
    'end of the legal obligation': after(ended, floor.approved),
    'end of policy': new Date(Math.min(byPolicy.getTime(), longest.getTime())),
  };
}

const DAY_MS = 86_400_000;
const time = fc.integer({ min: -400, max: 8_000 }).map((days) => new Date(DECIDED.getTime() + days * DAY_MS));
const maybe = fc.option(time, { nil: null });
const duration = fc.constantFrom('P0D', 'P30D', 'P90D', 'P1Y', 'P5Y', 'P10Y', 'P1Y6M');
const rules: fc.Arbitrary<RetentionRules> = fc.record({
  policy: fc.record({
    approvedAfterEnd: duration,
    approvedLongest: duration,
    rejected: duration,
    unfinished: duration,
    replacedUploads: duration,
  }),
  floor: fc.record({ approved: duration, rejected: duration, unfinished: duration }),
  timeZone: fc.constant('UTC'),
});

/** Any combination of facts that the storages accept. */
const anything: fc.Arbitrary<Retained> = fc
  .record({
    outcome: fc.constantFrom(null, ...RETAINED_OUTCOMES),
    relationshipEndedAt: maybe,
    hold: fc.option(fc.record({ heldAt: time, heldUntil: maybe }), { nil: null }),
    erasureRequestedAt: maybe,
    erasedAt: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: time }),
  })
  .map(({ outcome, relationshipEndedAt, hold, erasureRequestedAt, erasedAt }) =>
    retained(outcome, {
      relationshipEndedAt: outcome === 'approved' ? relationshipEndedAt : null,
      ...(erasedAt === null || outcome === null ? hold : null),
      erasureRequestedAt: outcome === null ? null : erasureRequestedAt,
      erasedAt: outcome === null ? null : erasedAt,
    }),
  );

const TABLE = documentedDataStates();

function rowOf({ outcome, heldAt, heldUntil, ...facts }: Retained, now: Date, table = TABLE): DataStateRow {
  const running = heldUntil === null ? 'running, without an end' : heldUntil > now ? 'running' : 'ended';
  const found = {
    erased: facts.erasedAt !== null,
    hold: heldAt === null ? 'none' : running,
    requested: facts.erasureRequestedAt !== null,
    verification: outcome === null ? 'open' : 'decided',
  } as const;
  return table.find((row) => matches(row, found)) ?? expect.fail('no row of the table matches');
}

/** Compares the code with the row of a table that matches. */
function expectAsDocumented(given: Retained, byRules: RetentionRules, now: Date, table = TABLE): DataStateRow {
  const row = rowOf(given, now, table);
  const ends = endsOf(given, byRules);
  const endOf = (name: End): Date | null =>
    // Without a hold, its end delays nothing. A row names no other moment that its verifications do not have.
    name === 'end of the hold' ? ends[name] : (ends[name] ?? expect.fail(`no ${name}`));
  const latestOf = (names: readonly End[]): Date | null =>
    names.includes('never') ? null : maxOf(...names.map(endOf));
  expect(dataStateOf(given, byRules, now)).toEqual({ state: row.state, until: latestOf(row.until) });
  expect(isHidden(given)).toBe(row.hidden);
  expect(erasureDue(given, byRules)?.at ?? null).toEqual(latestOf(row.dueAt));
  return row;
}

describe('dataStateOf', () => {
  it('is what docs/privacy.md says, for every combination of outcome, hold, request, erasure and time', () => {
    const met = new Set<DataStateRow>();
    fc.assert(
      fc.property(anything, rules, time, (...combination) => void met.add(expectAsDocumented(...combination))),
      { numRuns: 3_000 },
    );
    expect(TABLE.filter((row) => !met.has(row))).toEqual([]);
    expect(new Set(TABLE.map(({ state }) => state))).toEqual(new Set(DATA_STATES));
  });

  /** Every wrong set of moments: `never` instead of others, another one instead of `never`, one more, or one less. */
  function wrongEnds(ends: readonly End[]): (readonly End[])[] {
    const others = ENDS.filter((end) => end !== 'never' && !ends.includes(end));
    if (ends.includes('never')) return others.map((end) => [end]);
    const more = others.map((end) => [...ends, end]);
    return [['never'], ...more, ...ends.map((end) => ends.filter((each) => each !== end))];
  }
  const wrongRows = (row: DataStateRow): DataStateRow[] => [
    ...DATA_STATES.filter((state) => state !== row.state).map((state) => ({ ...row, state })),
    { ...row, hidden: !row.hidden },
    ...wrongEnds(row.until).map((until) => ({ ...row, until })),
    ...wrongEnds(row.dueAt).map((dueAt) => ({ ...row, dueAt })),
  ];

  it('a wrong result, or a missing row, in the table fails', () => {
    const combinations = fc.sample(fc.tuple(anything, rules, time), { numRuns: 3_000, seed: 7 });
    const isRight = (table: readonly DataStateRow[]) => {
      try {
        for (const [given, byRules, now] of combinations) expectAsDocumented(given, byRules, now, table);
        return true;
      } catch {
        return false;
      }
    };
    expect(isRight(TABLE)).toBe(true);
    for (const [index, row] of TABLE.entries()) {
      const unnoticed = wrongRows(row).filter((wrong) => isRight(TABLE.with(index, wrong)));
      expect(unnoticed, `row ${index + 1}`).toEqual([]);
      expect(isRight(TABLE.toSpliced(index, 1)), `without row ${index + 1}`).toBe(false);
    }
  });

  it('keeps what is decided for the legal obligation at least, and no longer than a reason lasts', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(anything, rules, (given, byRules) => {
        const { policy, floor } = byRules;
        const due = erasureDue({ ...given, erasedAt: null, heldAt: null, heldUntil: null }, byRules);
        if (given.outcome === null || given.decidedAt === null) {
          expect(due).toBeNull();
          return;
        }
        const { outcome, decidedAt, relationshipEndedAt: ended, erasureRequestedAt: requested } = given;
        const at = due?.at ?? expect.fail('a decided verification is due');
        const isNotBefore = (moment: Date) => expect(at.getTime()).toBeGreaterThanOrEqual(moment.getTime());
        isNotBefore(after(decidedAt, floor[outcome]));
        if (ended !== null) isNotBefore(after(ended, floor.approved));
        if (requested !== null) isNotBefore(requested);
        const longest = after(decidedAt, outcome === 'approved' ? policy.approvedLongest : policy[outcome]);
        if (outcome === 'approved' && ended === null) isNotBefore(longest);

        const lawEnds = maxOf(after(decidedAt, floor[outcome]), ended && after(ended, floor.approved));
        expect(at.getTime()).toBeLessThanOrEqual(maxOf(longest, lawEnds, requested).getTime());
        if (ended !== null && ended > longest) met.add('ended after the longest time');
        if (ended !== null && ended <= decidedAt) met.add('ended before the decision');
        if (lawEnds > longest) met.add('the law obliges longer than the policy');
      }),
      { numRuns: 3_000 },
    );
    expect(met.size).toBe(3);
  });

  it('names the rule that decided', () => {
    fc.assert(
      fc.property(anything, rules, (given, byRules) => {
        const due = erasureDue({ ...given, erasedAt: null, heldAt: null, heldUntil: null }, byRules);
        const { outcome, decidedAt, relationshipEndedAt: ended, erasureRequestedAt } = given;
        if (due === null || decidedAt === null) return;
        if (erasureRequestedAt !== null) {
          expect(due.rule).toBe('requested');
          return;
        }
        if (outcome !== 'approved') {
          expect(due.rule).toBe(outcome);
          return;
        }
        if (ended === null) {
          expect(due.rule).toBe('approved_longest');
          return;
        }
        const from = maxOf(decidedAt, ended);
        const counted = [after(from, byRules.policy.approvedAfterEnd), after(from, byRules.floor.approved)];
        const longest = after(decidedAt, byRules.policy.approvedLongest);
        const byRule = due.rule === 'approved_longest' ? [longest] : counted;
        expect(byRule.map(Number)).toContain(due.at.getTime());
      }),
      { numRuns: 3_000 },
    );
  });

  it('erases nothing before the law allows it, whatever the policy says, and nothing on hold', () => {
    fc.assert(
      fc.property(anything, rules, time, (given, byRules, now) => {
        const due = erasureDue(given, byRules);
        fc.pre(due !== null && due.at <= now);
        expect(isHeld(given, now)).toBe(false);
        expect(legalEndOf(given, byRules)?.getTime()).toBeLessThanOrEqual(now.getTime());
      }),
      { numRuns: 2_000 },
    );
  });
});
