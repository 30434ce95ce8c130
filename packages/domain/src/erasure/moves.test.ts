import { describe, expect, it } from 'vitest';
import { PLACE, retained } from '../../test-support/erasures.ts';
import { inState, NOW, pending } from '../../test-support/verifications.ts';
import { MAX_EVENTS } from '../verification/event-limit.ts';
import { createChangeRetained, endRelationship, releaseHold, requestErasure, startErasure } from './moves.ts';
import type { RetainedVerification } from './retained-verification.ts';

const LATER = new Date('2026-05-01T10:00:00.000Z');

const withCode = (code: string) => expect.objectContaining({ code });
const approved = retained({}, inState('approved'));

describe('endRelationship', () => {
  it('sets the moment, takes it back, and lets the job look at it', () => {
    const ended = endRelationship(approved, LATER, NOW);
    expect(ended?.next).toEqual({
      ...approved,
      relationshipEndedAt: LATER,
      retentionCheckAt: NOW,
      version: approved.version + 1,
      eventCount: approved.eventCount + 1,
    });
    expect(ended?.event).toEqual({
      type: 'verification.relationship_ended',
      data: { endedAt: LATER.toISOString() },
    });
    const back = endRelationship(ended?.next ?? approved, null, LATER);
    expect(back?.next).toMatchObject({ relationshipEndedAt: null, retentionCheckAt: LATER });
    expect(back?.event?.data).toEqual({ endedAt: null });
  });

  it('changes nothing if it is set to this moment already', () => {
    expect(endRelationship(approved, null, NOW)).toBeNull();
    expect(endRelationship({ ...approved, relationshipEndedAt: LATER }, new Date(LATER), NOW)).toBeNull();
  });

  it('is refused once too many events were written', () => {
    expect(() => endRelationship({ ...approved, eventCount: MAX_EVENTS + 100 }, LATER, NOW)).toThrow(
      withCode('EVENT_LIMIT_REACHED'),
    );
  });
});

describe('releaseHold', () => {
  it('ends the hold, and lets the job look at a decided verification', () => {
    const held = { ...approved, heldAt: NOW, heldBy: 'owner-1', heldUntil: LATER };
    expect(releaseHold(held, LATER)?.next).toMatchObject({
      heldAt: null,
      heldBy: null,
      heldUntil: null,
      retentionCheckAt: LATER,
    });
    expect(releaseHold(retained({ heldAt: NOW }, pending()), LATER)?.next.retentionCheckAt).toBeNull();
  });

  it('changes nothing without a hold, and is possible whatever the number of events', () => {
    expect(releaseHold(approved, NOW)).toBeNull();
    const full = { ...approved, heldAt: NOW, eventCount: MAX_EVENTS + 1 };
    expect(releaseHold(full, NOW)?.next.eventCount).toBe(MAX_EVENTS + 2);
  });
});

describe('requestErasure', () => {
  it('is noted once, whatever the number of events', () => {
    const full = { ...approved, eventCount: MAX_EVENTS };
    const requested = requestErasure(full, NOW);
    expect(requested?.next).toMatchObject({ erasureRequestedAt: NOW, retentionCheckAt: NOW });
    expect(requested?.event).toEqual({ type: 'verification.erasure_requested', data: {} });
    expect(requestErasure(requested?.next ?? approved, LATER)).toBeNull();
  });
});

describe('startErasure', () => {
  const start = { now: NOW, resumeAt: LATER, requested: false };

  it('begins without an event, and is resumed later', () => {
    const { next, event } = startErasure(approved, start);
    expect(next).toEqual({ ...approved, erasedAt: NOW, retentionCheckAt: LATER, version: approved.version + 1 });
    expect(event).toBeNull();
  });

  it('keeps when the erasure was requested, or sets it', () => {
    const requestedBefore = { ...approved, erasureRequestedAt: LATER };
    const repeated = startErasure(requestedBefore, { ...start, requested: true });
    expect([repeated.next.erasureRequestedAt, repeated.event]).toEqual([LATER, null]);
    const first = startErasure({ ...approved, eventCount: MAX_EVENTS }, { ...start, requested: true });
    expect(first.next).toMatchObject({ erasureRequestedAt: NOW, eventCount: MAX_EVENTS + 1 });
    expect(first.event).toEqual({ type: 'verification.erasure_requested', data: { silent: true } });
  });

  it('removes a hold that has ended, and fails on one that has not', () => {
    const ended = { ...approved, heldAt: new Date(0), heldBy: 'owner-1', heldUntil: NOW };
    expect(startErasure(ended, start).next).toMatchObject({ heldAt: null, heldBy: null, heldUntil: null });
    expect(() => startErasure({ ...ended, heldUntil: LATER }, start)).toThrow('on hold');
  });
});

describe('createChangeRetained', () => {
  const OWNER = { kind: 'team_member', id: 'owner-1' } as const;

  /** Requests the erasure of what is found, after others win this many races. */
  function requesting(found: RetainedVerification | null, lost: number) {
    let changes = 0;
    const change = createChangeRetained({
      clock: { now: () => NOW },
      ids: { next: () => 'event-1' },
      retention: {
        find: async () => found,
        change: async () => {
          changes += 1;
          return { outcome: changes > lost ? 'committed' : 'conflict' };
        },
      },
    });
    return change(PLACE, OWNER, requestErasure);
  }

  it('makes its change by the fifth attempt, and gives up after it', async () => {
    expect(await requesting(approved, 4)).toMatchObject({ erasureRequestedAt: NOW });
    await expect(requesting(approved, 5)).rejects.toEqual(withCode('VERSION_CONFLICT'));
  });

  it('refuses a change of an unknown verification', async () => {
    await expect(requesting(null, 0)).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
  });
});
