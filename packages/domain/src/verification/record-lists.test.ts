import { describe, expect, it } from 'vitest';
import { NOW, pending } from '../../test-support/verifications.ts';
import { expiryOrder, isDueForExpiry, isReferenced, matchesNothing } from './record-lists.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';

const HOUR_MS = 60 * 60 * 1000;
const after = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS);

const record = (given: Partial<VerificationRecord> = {}): VerificationRecord => ({
  ...toRecord(pending()),
  ...given,
});

describe('matchesNothing', () => {
  it.each([
    [true, { status: 'pending', isResubmitted: true }],
    [true, { status: 'action_needed', isResubmitted: true }],
    [false, { status: 'submitted', isResubmitted: true }],
    [false, { status: 'action_needed', isResubmitted: false }],
    [true, { status: 'pending', claimedBy: 'rita' }],
    [true, { status: 'pending', isWarned: true }],
    [false, { status: 'submitted', claimedBy: 'rita', isWarned: true }],
    [false, { status: 'pending', claimedBy: null }],
    [false, { status: 'pending', isWarned: false }],
    [false, { status: 'pending' }],
  ] as const)('matchesNothing returns %j for the filters %j', (expected, given) => {
    const filter = { type: undefined, clientId: undefined, claimedBy: undefined, isWarned: undefined };
    expect(matchesNothing({ ...filter, isResubmitted: undefined, ...given })).toBe(expected);
  });
});

describe('isReferenced', () => {
  const id = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602';
  const request = { reference: '3JKZ-G77Y', clientId: undefined };

  it.each([
    [true, 'its own reference', { id }, request],
    [false, 'another reference', { id }, { ...request, reference: '3JKZ-G77Z' }],
    [true, 'its own client', { id }, { ...request, clientId: 'client-1' }],
    [false, 'another client', { id }, { ...request, clientId: 'client-2' }],
    [false, 'an id that is no UUID', { id: 'user_1' }, { ...request, reference: 'user_1' }],
  ])('isReferenced returns %j for a search by %s', (expected, _what, given, search) => {
    expect(isReferenced({ clientId: 'client-1', ...given }, search)).toBe(expected);
  });
});

describe('isDueForExpiry', () => {
  const search = { requestedBy: after(1), linkEndedBy: after(2) };
  const due = { requestedAt: after(1), linkExpiresAt: after(2) };

  it.each<[boolean, string, Partial<VerificationRecord>]>([
    [true, 'pending, at both limits', {}],
    [true, 'waiting for the subject', { status: 'action_needed' }],
    [false, 'waiting for a decision', { status: 'submitted' }],
    [false, 'decided', { status: 'rejected' }],
    [false, 'requested after the limit', { requestedAt: after(1.5) }],
    [false, 'open by a link that ended after the limit', { linkExpiresAt: after(2.5) }],
  ])('isDueForExpiry returns %j for a verification that is %s', (expected, _what, given) => {
    expect(isDueForExpiry(record({ ...due, ...given }), { ...search, limit: 10 })).toBe(expected);
  });
});

describe('expiryOrder', () => {
  it('expiryOrder sorts by client, status and type, then the oldest first, then by id', () => {
    const inOrder = [
      record({ clientId: 'client-1', status: 'action_needed', type: 'kyc', requestedAt: after(9), id: 'g' }),
      record({ clientId: 'client-1', status: 'pending', type: 'kyb', requestedAt: after(8), id: 'f' }),
      record({ clientId: 'client-1', status: 'pending', type: 'kyc', requestedAt: after(1), id: 'e' }),
      record({ clientId: 'client-1', status: 'pending', type: 'kyc', requestedAt: after(2), id: 'b' }),
      record({ clientId: 'client-1', status: 'pending', type: 'kyc', requestedAt: after(2), id: 'c' }),
      record({ clientId: 'client-2', status: 'action_needed', type: 'kyb', requestedAt: after(0), id: 'a' }),
    ];
    expect(inOrder.toReversed().toSorted(expiryOrder)).toEqual(inOrder);
    expect(inOrder.toSorted(expiryOrder)).toEqual(inOrder);
  });
});
