import { expect, it } from 'vitest';
import { inState, NOW } from '../../test-support/verifications.ts';
import type { RetentionFacts } from '../retention/retention-facts.ts';
import { type RetentionView, retentionViewOf } from './retention-view.ts';
import type { Status } from './status.ts';

const KEPT = { data: { state: 'kept', until: null }, legalEnd: null } as const;
const HELD = { data: { state: 'held', until: null }, legalEnd: null } as const;

/** The names of what may change it. */
const mayOf = (view: RetentionView) =>
  Object.entries(view).flatMap(([name, value]) =>
    name.startsWith('may') && value === true ? [name.slice(3)] : [],
  );

it.each<[Status, Partial<RetentionFacts>, readonly string[]]>([
  ['pending', {}, ['Hold', 'Erase']],
  ['action_needed', {}, ['Hold', 'Erase']],
  ['submitted', {}, ['Hold']],
  ['approved', {}, ['Hold', 'EndRelationship', 'Erase']],
  ['rejected', {}, ['Hold', 'Erase']],
  ['rejected', { heldAt: NOW }, ['Hold', 'ReleaseHold', 'Erase']],
  ['approved', { erasureRequestedAt: NOW }, ['Hold', 'EndRelationship', 'OpenRestricted']],
  ['approved', { erasureRequestedAt: NOW, erasedAt: NOW }, []],
])('%s with %j: may %j', (status, facts, expected) => {
  const view = retentionViewOf({ ...inState(status), ...facts }, 'heldAt' in facts ? HELD : KEPT);
  expect(mayOf(view)).toEqual(expected);
  expect(view.isHidden).toBe('erasureRequestedAt' in facts);
});

it('has the reason of a hold until it is released or the data is hidden', () => {
  const hold = { reason: 'a court order', setBy: 'operator' } as const;
  const held = { ...inState('approved'), heldAt: NOW, hold };
  expect(retentionViewOf(held, HELD).holdSetBy).toBe('operator');
  expect(retentionViewOf(held, HELD).holdReason).toBe('a court order');
  expect(retentionViewOf({ ...held, erasureRequestedAt: NOW }, HELD).holdReason).toBeNull();
  const released = { ...held, heldAt: null };
  expect(retentionViewOf(released, KEPT)).toMatchObject({ holdReason: null, mayReleaseHold: false });
});

it('an erasure withdraws first what waits for the subject', () => {
  const statuses = ['pending', 'action_needed', 'submitted', 'approved', 'rejected'] as const;
  expect(statuses.filter((status) => retentionViewOf(inState(status), KEPT).erasureWithdraws)).toEqual([
    'pending',
    'action_needed',
  ]);
});
