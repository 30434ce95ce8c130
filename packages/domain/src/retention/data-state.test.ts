import { describe, expect, it } from 'vitest';
import {
  dataStateOf,
  erasureDue,
  isHeld,
  notErasedBefore,
  type Retained,
  type RetentionRules,
} from './data-state.ts';
import { DEFAULT_RETENTION, DEFAULT_RETENTION_FLOOR } from './policy.ts';
import { NO_RETENTION_FACTS } from './retention-facts.ts';

const RULES: RetentionRules = { policy: DEFAULT_RETENTION, floor: DEFAULT_RETENTION_FLOOR, timeZone: 'UTC' };
const DECIDED = new Date('2026-03-10T12:00:00Z');

function retained(outcome: Retained['outcome'], facts: Partial<Retained> = {}): Retained {
  return { ...NO_RETENTION_FACTS, outcome, decidedAt: outcome === null ? null : DECIDED, ...facts };
}

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

  it('requested where the law obliges to nothing: immediately', () => {
    const given = retained('unfinished', { erasureRequestedAt: ended });
    expect(erasureDue(given, RULES)).toEqual({ at: ended, rule: 'requested' });
    expect(dataStateOf(given, RULES, ended)).toEqual({ state: 'restricted', until: ended });
  });

  it('ended so late that the longest time is over: when the law allows it', () => {
    const relationshipEndedAt = new Date('2034-03-10T12:00:00Z');
    const given = retained('approved', { relationshipEndedAt });
    expect(erasureDue(given, RULES)).toEqual({
      at: new Date('2039-03-11T00:00:00Z'),
      rule: 'approved_after_end',
    });
  });

  it('ended late, but the law allows it before the longest time is over: by the longest time', () => {
    const policy = { ...RULES.policy, approvedAfterEnd: 'P8Y' };
    const given = retained('approved', { relationshipEndedAt: new Date('2031-03-10T12:00:00Z') });
    const due = { at: new Date('2036-03-11T00:00:00Z'), rule: 'approved_longest' };
    expect(erasureDue(given, { ...RULES, policy })).toEqual(due);
  });

  it('a policy from before the floor was raised: at the end of the floor', () => {
    const raised = { ...RULES, floor: { ...RULES.floor, rejected: 'P7Y' } };
    expect(erasureDue(retained('rejected'), raised)?.at).toEqual(new Date('2033-03-11T00:00:00Z'));
  });

  it('approved, going on, with a longest time from before the floor was raised: at the end of the floor', () => {
    const raised = {
      ...RULES,
      policy: { ...RULES.policy, approvedLongest: 'P5Y' },
      floor: { ...RULES.floor, approved: 'P10Y' },
    };
    const until = new Date('2036-03-11T00:00:00Z');
    expect(erasureDue(retained('approved'), raised)).toEqual({ at: until, rule: 'approved_longest' });
    const requested = retained('approved', { erasureRequestedAt: ended });
    expect(dataStateOf(requested, raised, ended)).toEqual({ state: 'restricted', until });
  });

  it('ended so that both times are over on one day: by the end of the relationship', () => {
    const policy = { ...RULES.policy, approvedAfterEnd: 'P10Y' };
    const given = retained('approved', { relationshipEndedAt: DECIDED });
    expect(erasureDue(given, { ...RULES, policy })).toEqual({
      at: new Date('2036-03-11T00:00:00Z'),
      rule: 'approved_after_end',
    });
  });

  it('rejected, and the relationship that began elsewhere ended: as rejected, when the law allows it', () => {
    const given = retained('rejected', { relationshipEndedAt: ended });
    expect(erasureDue(given, RULES)).toEqual({ at: new Date('2032-07-01T00:00:00Z'), rule: 'rejected' });
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

describe('notErasedBefore', () => {
  const later = new Date('2026-04-01T00:00:00Z');
  it.each([
    ['moves an earlier end', { state: 'kept', until: DECIDED }, later, later],
    ['keeps a later end', { state: 'restricted', until: later }, DECIDED, later],
    ['keeps the end without a pause', { state: 'kept', until: DECIDED }, null, DECIDED],
    ['makes no end where there is none', { state: 'kept', until: null }, later, null],
    ['keeps the end of a hold', { state: 'held', until: DECIDED }, later, DECIDED],
  ] as const)('notErasedBefore: %s', (_what, state, moment, until) => {
    expect(notErasedBefore(state, moment)).toEqual({ ...state, until });
  });
});
