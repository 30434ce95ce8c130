import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATA_STATE_TABLE, type DataStateRow, type End } from '../../test-support/data-states.ts';
import { endOfPeriod } from './calendar.ts';
import {
  DATA_STATES,
  dataStateOf,
  erasureDue,
  isHeld,
  isHidden,
  legalEndOf,
  type Retained,
  type RetentionRules,
} from './data-state.ts';
import { parseDuration } from './duration.ts';
import { DEFAULT_RETENTION, DEFAULT_RETENTION_FLOOR, RETAINED_OUTCOMES } from './policy.ts';
import { NO_RETENTION_FACTS } from './retention-facts.ts';

const RULES: RetentionRules = { policy: DEFAULT_RETENTION, floor: DEFAULT_RETENTION_FLOOR, timeZone: 'UTC' };
const DECIDED = new Date('2026-03-10T12:00:00Z');

function retained(outcome: Retained['outcome'], facts: Partial<Retained> = {}): Retained {
  return { ...NO_RETENTION_FACTS, outcome, decidedAt: outcome === null ? null : DECIDED, ...facts };
}

/** The end of a period, computed apart from the code under test. */
function after(event: Date, period: string): Date {
  return endOfPeriod(event, parseDuration(period) ?? expect.fail(period), RULES.timeZone);
}

const maxOf = (...dates: readonly (Date | null)[]): Date =>
  new Date(Math.max(...dates.flatMap((date) => (date === null ? [] : [date.getTime()]))));

/** The moments of the table for a verification; null: never. */
function endsOf(given: Retained, { policy, floor }: RetentionRules): Record<End, Date | null> {
  const { outcome, decidedAt, relationshipEndedAt, heldUntil, erasureRequestedAt } = given;
  const ends = { never: null, 'end of the hold': heldUntil, request: erasureRequestedAt };
  if (outcome === null || decidedAt === null)
    return { ...ends, 'end of the legal obligation': null, 'end of the policy': null };
  if (outcome !== 'approved') {
    return {
      ...ends,
      'end of the legal obligation': after(decidedAt, floor[outcome]),
      'end of the policy': after(decidedAt, policy[outcome]),
    };
  }
  const longest = after(decidedAt, policy.approvedLongest);
  if (relationshipEndedAt === null)
    return { ...ends, 'end of the legal obligation': longest, 'end of the policy': longest };
  const ended = maxOf(decidedAt, relationshipEndedAt);
  const byPolicy = after(ended, policy.approvedAfterEnd);
  return {
    ...ends,
    'end of the legal obligation': after(ended, floor.approved),
    'end of the policy': new Date(Math.min(byPolicy.getTime(), longest.getTime())),
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

function rowOf({ outcome, heldAt, heldUntil, ...facts }: Retained, now: Date): DataStateRow {
  const running = heldUntil === null ? 'running, without an end' : heldUntil > now ? 'running' : 'ended';
  const found = {
    erased: facts.erasedAt !== null,
    hold: heldAt === null ? 'none' : running,
    requested: facts.erasureRequestedAt !== null,
    outcome: outcome ?? 'open',
  } as const;
  const row = DATA_STATE_TABLE.find((candidate) =>
    Object.entries(found).every(([name, value]) => {
      const wanted = candidate[name as keyof typeof found];
      return wanted === undefined || wanted === value;
    }),
  );
  return row ?? expect.fail('no row of the table matches');
}

describe('dataStateOf', () => {
  it('is what the table says, for every combination of outcome, hold, request, erasure and time', () => {
    const met = new Set<DataStateRow>();
    fc.assert(
      fc.property(anything, rules, time, (given, byRules, now) => {
        const row = rowOf(given, now);
        met.add(row);
        const ends = endsOf(given, byRules);
        const latestOf = (names: readonly End[]): Date | null =>
          names.includes('never') ? null : maxOf(...names.map((name) => ends[name]));
        expect(dataStateOf(given, byRules, now)).toEqual({ state: row.state, until: latestOf(row.until) });
        expect(isHidden(given)).toBe(row.hidden);
        expect(erasureDue(given, byRules)?.at ?? null).toEqual(latestOf(row.dueAt));
      }),
      { numRuns: 3_000 },
    );
    expect(DATA_STATE_TABLE.filter((row) => !met.has(row))).toEqual([]);
    expect([...new Set(DATA_STATE_TABLE.map(({ state }) => state))]).toEqual([...DATA_STATES]);
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

describe('erasureDue', () => {
  const ended = new Date('2027-06-30T12:00:00Z');
  it.each([
    ['approved, going on', retained('approved'), '2036-03-11', 'approved_longest'],
    [
      'approved and ended',
      retained('approved', { relationshipEndedAt: ended }),
      '2032-07-01',
      'approved_after_end',
    ],
    [
      'approved and ended late',
      retained('approved', { relationshipEndedAt: new Date('2030-12-31T12:00:00Z') }),
      '2036-01-01',
      'approved_after_end',
    ],
    [
      'ended before it was approved',
      retained('approved', { relationshipEndedAt: new Date('2020-01-01T12:00:00Z') }),
      '2031-03-11',
      'approved_after_end',
    ],
    ['rejected', retained('rejected'), '2031-03-11', 'rejected'],
    ['withdrawn or expired', retained('unfinished'), '2026-06-09', 'unfinished'],
    ['rejected and requested', retained('rejected', { erasureRequestedAt: ended }), '2031-03-11', 'requested'],
  ] as const)('%s', (_what, given, day, rule) => {
    expect(erasureDue(given, RULES)).toEqual({ at: new Date(`${day}T00:00:00Z`), rule });
  });

  it('requested where the law obliges to nothing: at once', () => {
    const given = retained('unfinished', { erasureRequestedAt: ended });
    expect(erasureDue(given, RULES)).toEqual({ at: ended, rule: 'requested' });
    expect(dataStateOf(given, RULES, ended)).toEqual({ state: 'restricted', until: ended });
  });

  it('ended so late that the longest time is over: when the law allows it', () => {
    const relationshipEndedAt = new Date('2034-03-10T12:00:00Z');
    const given = retained('approved', { relationshipEndedAt });
    expect(erasureDue(given, RULES)).toEqual({ at: new Date('2039-03-11T00:00:00Z'), rule: 'approved_longest' });
  });

  it('a policy from before the floor was raised: at the end of the floor', () => {
    const raised = { ...RULES, floor: { ...RULES.floor, rejected: 'P7Y' } };
    expect(erasureDue(retained('rejected'), raised)?.at).toEqual(new Date('2033-03-11T00:00:00Z'));
  });

  it('a policy with a period that is no duration is a fault', () => {
    const broken = { ...RULES, policy: { ...RULES.policy, rejected: 'soon' } };
    expect(() => erasureDue(retained('rejected'), broken)).toThrow('A retention period is no duration');
  });
});

describe('isHeld', () => {
  it('ends exactly at the end of the hold', () => {
    const held = { heldAt: DECIDED, heldUntil: new Date(DECIDED.getTime() + 1) };
    expect([isHeld(held, DECIDED), isHeld(held, held.heldUntil)]).toEqual([true, false]);
    expect(isHeld({ heldAt: null, heldUntil: null }, DECIDED)).toBe(false);
    expect(isHeld({ heldAt: DECIDED, heldUntil: null }, new Date('2999-01-01'))).toBe(true);
  });
});
