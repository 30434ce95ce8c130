import { describe, expect, it } from 'vitest';
import { answered, inState, LINK_CONTEXT, NOW, submitted } from '../../test-support/verifications.ts';
import {
  askForAction,
  claim,
  handOver,
  isMovePossible,
  note,
  type ReviewerMove,
  release,
  requireUnclaimedByOthers,
} from './reviewer-moves.ts';
import { submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';

const withCode = (code: string) => expect.objectContaining({ code });

describe('a claim', () => {
  const by = (reviewerId: string) => ({ reviewerId, now: NOW });
  const claimed = claim(submitted(), by('staff-1'))?.next as Verification;

  it('changes the version and not the status; so do its release and a note', () => {
    const before = submitted();
    const after = claim(before, by('staff-1'))?.next as Verification;
    expect(after).toEqual({
      ...before,
      version: before.version + 1,
      claim: { reviewerId: 'staff-1', claimedAt: NOW },
    });
    expect(release(after)?.next).toEqual({ ...before, version: before.version + 2 });
    expect(note(before, 'a copy?', by('staff-2')).next.version).toBe(before.version + 1);
  });

  it('a claim of another reviewer is CLAIMED_BY_ANOTHER, one’s own changes nothing', () => {
    expect(() => claim(claimed, by('staff-2'))).toThrow(withCode('CLAIMED_BY_ANOTHER'));
    expect(claim(claimed, by('staff-1'))).toBeNull();
  });

  it.each<[move: ReviewerMove, unclaimed: boolean, ownClaim: boolean, othersClaim: boolean]>([
    ['claim', true, false, false],
    ['release', false, true, true],
    ['note', true, true, true],
    ['approve', true, true, false],
    ['reject', true, true, false],
    ['askForAction', true, true, false],
  ])('decides whether %s is possible', (move, ...expected) => {
    const status = 'submitted';
    const held = { reviewerId: 'staff-1', claimedAt: NOW };
    expect([
      isMovePossible(move, { status, claim: null }, 'staff-1'),
      isMovePossible(move, { status, claim: held }, 'staff-1'),
      isMovePossible(move, { status, claim: held }, 'staff-2'),
    ]).toEqual(expected);
    const isNote = move === 'note';
    expect(isMovePossible(move, { status: 'pending', claim: null }, 'staff-1')).toBe(isNote);
  });

  it('hand over: gives the claim to a colleague, also from another reviewer, and names the colleague in the event', () => {
    const later = new Date('2026-03-04T10:00:00.000Z');
    for (const before of [submitted(), claimed, claim(submitted(), by('staff-3'))?.next as Verification]) {
      const handed = handOver(before, 'staff-2', { now: later });
      expect(handed?.next).toMatchObject({
        status: 'submitted',
        version: before.version + 1,
        claim: { reviewerId: 'staff-2', claimedAt: later },
      });
      expect(handed?.event).toEqual({ type: 'verification.claimed', data: { reviewerId: 'staff-2' } });
    }
    expect(handOver(claimed, 'staff-1', { now: later })).toBeNull();
    expect(() => handOver(inState('approved'), 'staff-2', { now: later })).toThrow(withCode('ILLEGAL_TRANSITION'));
  });

  it('ends by a release; a release without a claim changes nothing', () => {
    const released = release(claimed)?.next as Verification;
    expect(released).toMatchObject({ status: 'submitted', claim: null });
    expect(release(released)).toBeNull();
  });

  it('ends with the request for action, and comes back to the reviewer who asked', () => {
    const asked = askForAction(
      claimed,
      { items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }] },
      LINK_CONTEXT,
    );
    expect(asked.next).not.toHaveProperty('claim');
    expect(asked.event).toEqual({
      type: 'verification.action_requested',
      data: { items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }] },
    });
    const later = new Date('2026-03-04T10:00:00.000Z');
    const again = submit(answered(asked.next, 'selfie'), later).next;
    expect(again).toMatchObject({ status: 'submitted', claim: { reviewerId: 'staff-1', claimedAt: later } });
    expect(() => requireUnclaimedByOthers(again, 'staff-2')).toThrow(withCode('CLAIMED_BY_ANOTHER'));
  });

  it('the event of a request keeps steps, reasons and fields, but no note', () => {
    const item = { step: 'document', reasonCode: 'document_glare', field: 'frontFileId' };
    const { event } = askForAction(submitted(), { items: [{ ...item, note: 'Less light' }] }, LINK_CONTEXT);
    expect(event.data).toEqual({ items: [item] });
  });

  it('a claim is given to a reviewer who asked for action without one, and to no reviewer after a request of a sandbox', () => {
    const items = [{ step: 'selfie', reasonCode: 'selfie_unclear' }];
    const claimAfter = (reviewerId: string | null) => {
      const asked = askForAction(submitted(), { items }, { ...LINK_CONTEXT, reviewerId });
      return submit(answered(asked.next, 'selfie'), NOW).next;
    };
    expect(claimAfter('staff-2')).toMatchObject({ claim: { reviewerId: 'staff-2', claimedAt: NOW } });
    expect(claimAfter(null)).toMatchObject({ claim: null });
  });

  it('and a note write events without the text', () => {
    const { next, event } = note(submitted(), 'a copy?', by('staff-2'));
    expect(next.internalNotes).toEqual([{ text: 'a copy?', reviewerId: 'staff-2', writtenAt: NOW.toISOString() }]);
    expect(event).toEqual({ type: 'verification.noted', data: {} });
    expect(() => note(submitted(), '  ', by('staff-2'))).toThrow(withCode('INVALID_PARAMETERS'));
  });
});
