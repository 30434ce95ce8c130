import { expect, it } from 'vitest';
import { actionNeeded, inState, NOW, pending } from '../../test-support/verifications.ts';
import { DEFAULT_RETENTION, DEFAULT_RETENTION_FLOOR, type RetainedOutcome } from '../retention/policy.ts';
import { type EventType, eventOf } from './events.ts';
import { expire } from './expire-verifications.ts';
import { withdraw } from './manage-verification.ts';
import { keptDataOf, retainedFrom } from './retained.ts';
import { event } from './transition.ts';
import type { Verification } from './verification.ts';

const RULES = { policy: DEFAULT_RETENTION, floor: DEFAULT_RETENTION_FLOOR, timeZone: 'UTC' };

it.each<[string, Verification, EventType | undefined, RetainedOutcome | null]>([
  ['open', pending(), undefined, null],
  ['open during a redo', actionNeeded(), undefined, null],
  ['approved', inState('approved'), 'verification.approved', 'approved'],
  ['rejected', inState('rejected'), 'verification.rejected', 'rejected'],
  ['withdrawn', withdraw(pending(), NOW).next, 'verification.withdrawn', 'unfinished'],
  ['expired', expire(pending(), NOW).next, 'verification.expired', 'unfinished'],
  ['rejected without its event', inState('rejected'), undefined, 'rejected'],
])('retainedFrom: the outcome of a verification that is %s', (_what, verification, type, outcome) => {
  const origin = { id: 'event-1', at: NOW, actor: { kind: 'operator', id: null } } as const;
  const events = type === undefined ? [] : [eventOf(verification, event(type), origin)];
  expect(retainedFrom(verification, events)).toMatchObject({
    outcome,
    decidedAt: outcome === null ? null : NOW,
  });
});

it('keptDataOf: the law obliges to keep the data until a time, and no longer from then on', async () => {
  const legalEnd = new Date('2031-03-02T00:00:00.000Z');
  const endAt = async (verification: Verification, now: Date) => {
    const kept = await keptDataOf(verification, [], { rules: RULES, withPause: async (state) => state, now });
    return kept.legalEnd;
  };
  const rejected = inState('rejected');
  expect(await endAt(rejected, NOW)).toEqual(legalEnd);
  expect(await endAt(rejected, new Date(legalEnd.getTime() - 1))).toEqual(legalEnd);
  expect(await endAt(rejected, legalEnd)).toBeNull();
  expect(await endAt(pending(), NOW)).toBeNull();
});
