import { describe, expect, it } from 'vitest';
import { inState, NOW, pending } from '../../test-support/verifications.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { fromRecord } from './from-record.ts';
import {
  hold,
  isOpenedBy,
  MAX_OPEN_HOLDS,
  MAX_OPENINGS,
  OPENING_MS,
  openRestricted,
  releaseHoldBy,
} from './hold.ts';
import type { Verification } from './verification.ts';
import { toRecord } from './verification-record.ts';

const LATER = new Date('2026-05-01T10:00:00.000Z');
const OWNER = { actor: { kind: 'team_member', id: 'owner-1' }, now: NOW } as const;
const OPENING = { userId: 'owner-1', now: NOW };
const OPERATOR = { kind: 'operator', id: null } as const;
const withCode = (code: string) => expect.objectContaining({ code });

describe('hold', () => {
  it.each(['pending', 'submitted', 'action_needed', 'approved', 'rejected'] as const)(
    'hold of a verification in %s lets the job look at it at its end, if it is decided',
    (status) => {
      const held = hold(inState(status), { reason: 'A court asked', until: LATER.toISOString() }, OWNER);
      const isDecided = status === 'approved' || status === 'rejected';
      expect(held?.next).toMatchObject({
        status,
        hold: { reason: 'A court asked', setBy: 'team_member' },
        heldAt: NOW,
        heldBy: 'owner-1',
        heldUntil: LATER,
        retentionCheckAt: isDecided ? LATER : null,
      });
      expect(held?.event).toEqual({ type: 'verification.held', data: { until: LATER.toISOString() } });
    },
  );

  it('hold without an end is never looked at', () => {
    const held = hold(inState('approved'), { reason: 'A court asked' }, OWNER);
    expect(held?.next).toMatchObject({ heldUntil: null, retentionCheckAt: null });
    expect(held?.event.data).toEqual({ until: null });
  });

  it('hold with the same reason and end changes nothing; with another it replaces the one before', () => {
    const first = hold(pending(), { reason: 'A court asked' }, OWNER)?.next ?? expect.fail();
    expect(hold(first, { reason: 'A court asked' }, { ...OWNER, now: LATER })).toBeNull();
    const second = hold(first, { reason: 'Another court' }, { actor: OPERATOR, now: LATER })?.next;
    expect(second).toMatchObject({
      hold: { reason: 'Another court', setBy: 'operator' },
      heldAt: LATER,
      heldBy: null,
    });
  });

  it('hold with the same reason and another end replaces the one before', () => {
    const first = hold(pending(), { reason: 'A court asked' }, OWNER)?.next ?? expect.fail();
    const ended = hold(first, { reason: 'A court asked', until: LATER.toISOString() }, OWNER);
    expect(ended?.next.heldUntil).toEqual(LATER);
  });

  it('hold by an operator is not counted as one of the team; it replaces one of the team with the same reason, and its repetition changes nothing', () => {
    const ofTeam = hold(inState('approved'), { reason: 'A court asked' }, OWNER)?.next ?? expect.fail();
    const again = { actor: OPERATOR, now: LATER };
    const ofOperator = hold(ofTeam, { reason: 'A court asked' }, again)?.next ?? expect.fail();
    expect(ofOperator.hold).toEqual({ reason: 'A court asked', setBy: 'operator' });
    expect(hold(ofOperator, { reason: 'A court asked' }, again)).toBeNull();
  });

  it('hold after a release is a new hold, also with the same reason', () => {
    const released: Verification = { ...pending(), hold: { reason: 'A court asked', setBy: 'team_member' } };
    expect(hold(released, { reason: 'A court asked' }, OWNER)?.next.heldAt).toEqual(NOW);
  });

  it.each([
    [{}, 'reason'],
    [{ reason: '' }, 'reason'],
    [{ reason: 'x'.repeat(2_001) }, 'reason'],
    [{ reason: 'A court', until: 'tomorrow' }, 'until'],
    [{ reason: 'A court', until: NOW.toISOString() }, 'until'],
    [{ reason: 'A court', for: 'ever' }, 'for'],
  ])('hold of %j is refused', (input, path) => {
    expect(() => hold(pending(), input, OWNER)).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMETERS',
        data: { issues: [expect.objectContaining({ path }) as unknown] },
      }),
    );
  });
});

describe('holds of an open verification', () => {
  const again = (before: Verification, actor: typeof OPERATOR | typeof OWNER.actor = OWNER.actor) =>
    releaseHoldBy(hold(before, { reason: 'x' }, { actor, now: NOW })?.next ?? expect.fail(), { actor, now: NOW })
      ?.next ?? expect.fail();
  const repeated = (): Verification => {
    let current: Verification = inState('submitted');
    for (let n = 0; n < MAX_OPEN_HOLDS; n += 1) current = again(current);
    return current;
  };

  it('holds of an open verification by the team are limited, so that its events leave room; those of operators are not', () => {
    const limit = repeated();
    expect(() => hold(limit, { reason: 'x' }, OWNER)).toThrow(withCode('EVENT_LIMIT_REACHED'));
    const byOperator = again(limit, OPERATOR);
    expect(() => hold(byOperator, { reason: 'x' }, OWNER)).toThrow(withCode('EVENT_LIMIT_REACHED'));
    expect(hold(byOperator, { reason: 'x' }, { actor: OPERATOR, now: NOW })).not.toBeNull();
  });

  it('holds of an open verification that replace one another count as well, and the limit ends with the decision', () => {
    let current: Verification = inState('submitted');
    for (let n = 0; n < MAX_OPEN_HOLDS; n += 1)
      current = hold(current, { reason: `reason ${n}` }, OWNER)?.next ?? expect.fail();
    expect(hold(current, { reason: current.hold?.reason }, OWNER)).toBeNull();
    expect(() => hold(current, { reason: 'another' }, OWNER)).toThrow(withCode('EVENT_LIMIT_REACHED'));
    const decided = { ...inState('approved'), hold: current.hold };
    expect(hold(decided, { reason: 'another' }, OWNER)?.next.hold?.reason).toBe('another');
  });

  it('holds of an open verification are counted beside the reason, as it is stored', () => {
    const stored = toRecord(repeated());
    const read = fromRecord(stored, BUILT_IN_FLOWS);
    expect(() => hold(read, { reason: 'x' }, OWNER)).toThrow(withCode('EVENT_LIMIT_REACHED'));
  });
});

describe('releaseHoldBy', () => {
  const held: Verification = hold(inState('approved'), { reason: 'x' }, OWNER)?.next ?? expect.fail();

  it('ends the hold, and lets the job look at a decided verification', () => {
    const released = releaseHoldBy(held, { ...OWNER, now: LATER });
    expect(released?.next).toMatchObject({ heldAt: null, heldBy: null, heldUntil: null, retentionCheckAt: LATER });
    expect(released?.event.type).toBe('verification.hold_released');
    expect(releaseHoldBy({ ...pending(), heldAt: NOW }, OWNER)?.next.retentionCheckAt).toBeNull();
    expect(releaseHoldBy(pending(), OWNER)).toBeNull();
  });

  it('refuses a verification whose erasure has begun', () => {
    expect(() => releaseHoldBy({ ...held, erasedAt: NOW }, OWNER)).toThrow(withCode('ILLEGAL_TRANSITION'));
  });

  it('refuses the team the hold of an operator', () => {
    const ofOperator = hold(held, { reason: 'x' }, { actor: OPERATOR, now: NOW })?.next ?? expect.fail();
    expect(() => releaseHoldBy(ofOperator, OWNER)).toThrow(withCode('HELD_BY_OPERATOR'));
    expect(() => hold(ofOperator, { reason: 'y' }, OWNER)).toThrow(withCode('HELD_BY_OPERATOR'));
    expect(hold({ ...ofOperator, heldUntil: NOW }, { reason: 'y' }, OWNER)?.next.hold?.setBy).toBe('team_member');
  });
});

describe('openRestricted', () => {
  const requested: Verification = { ...inState('approved'), erasureRequestedAt: NOW };

  it('keeps the reason, the user and the time, and writes no event', () => {
    const first = openRestricted(requested, ' The subject asked ', OPENING);
    const second = openRestricted(first.next, 'A court asked', { userId: null, now: LATER });
    expect(second.next.openings).toEqual([
      { reason: 'The subject asked', userId: 'owner-1', at: NOW.toISOString() },
      { reason: 'A court asked', userId: null, at: LATER.toISOString() },
    ]);
    expect([first.event, second.event]).toEqual([null, null]);
  });

  it('is refused without a reason, where nothing is hidden, and after too many', () => {
    expect(() => openRestricted(requested, '', OPENING)).toThrow(withCode('INVALID_PARAMETERS'));
    expect(() => openRestricted(inState('approved'), 'A reason', OPENING)).toThrow(withCode('ILLEGAL_TRANSITION'));
    const openings = Array.from({ length: MAX_OPENINGS }, () => ({ reason: 'x', userId: null, at: '' }));
    expect(() => openRestricted({ ...requested, openings }, 'A reason', OPENING)).toThrow(
      withCode('EVENT_LIMIT_REACHED'),
    );
  });
});

describe('an opening', () => {
  const requested: Verification = { ...inState('approved'), erasureRequestedAt: NOW };
  const opened = openRestricted(requested, 'The subject asked', OPENING).next;
  const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);

  it.each([
    ['immediately', 0, true],
    ['at the end of its time', OPENING_MS - 1, true],
    ['after its time', OPENING_MS, false],
    ['after the clock was set back a little', -1, true],
    ['after the clock was set back for longer than its time', -OPENING_MS, false],
  ])('holds for its user %s: %d ms, %s', (_, milliseconds, expected) => {
    expect(isOpenedBy(opened, { userId: 'owner-1', now: after(milliseconds) })).toBe(expected);
  });

  it('holds for no other user, without an opening and once the erasure has begun', () => {
    expect(isOpenedBy(opened, { userId: 'owner-2', now: NOW })).toBe(false);
    expect(isOpenedBy(requested, OPENING)).toBe(false);
    expect(isOpenedBy({ ...opened, erasedAt: NOW }, OPENING)).toBe(false);
    const ofNoUser = openRestricted(requested, 'A court asked', { userId: null, now: NOW }).next;
    expect(isOpenedBy(ofNoUser, { userId: null, now: NOW })).toBe(false);
  });
});
