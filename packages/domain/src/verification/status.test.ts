import { describe, expect, it } from 'vitest';
import { CONTEXT, file, inState, LINK_CONTEXT, NOW } from '../../test-support/verifications.ts';
import { endRelationship, releaseHold, requestErasure, startErasure } from '../erasure/moves.ts';
import type { RetainedVerification } from '../erasure/retained-verification.ts';
import { dropReplacedUploads } from './drop-replaced-uploads.ts';
import { expire } from './expire-verifications.ts';
import { hold, openRestricted } from './hold.ts';
import { renewLink, withdraw } from './manage-verification.ts';
import { approve, askForAction, claim, note, reject, release } from './reviewer-moves.ts';
import { saveDraft } from './save-draft.ts';
import { isActive, type Move, STATUSES, type Status, statusCounts, targetOf } from './status.ts';
import { attachFile, completeStep, submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';
import { toRecord } from './verification-record.ts';

/** DESIGN section 2, States: each row once more, written by hand, so that a slip in status.ts shows. */
const LEGAL: readonly [Status, Move, Status][] = [
  ['pending', 'saveDraft', 'pending'],
  ['pending', 'note', 'pending'],
  ['pending', 'attachFile', 'pending'],
  ['pending', 'completeStep', 'pending'],
  ['pending', 'submit', 'submitted'],
  ['pending', 'withdraw', 'rejected'],
  ['pending', 'expire', 'rejected'],
  ['pending', 'renewLink', 'pending'],
  ['submitted', 'claim', 'submitted'],
  ['submitted', 'release', 'submitted'],
  ['submitted', 'note', 'submitted'],
  ['submitted', 'approve', 'approved'],
  ['submitted', 'reject', 'rejected'],
  ['submitted', 'askForAction', 'action_needed'],
  ['action_needed', 'saveDraft', 'action_needed'],
  ['action_needed', 'note', 'action_needed'],
  ['action_needed', 'attachFile', 'action_needed'],
  ['action_needed', 'completeStep', 'action_needed'],
  ['action_needed', 'submit', 'submitted'],
  ['action_needed', 'withdraw', 'rejected'],
  ['action_needed', 'expire', 'rejected'],
  ['action_needed', 'renewLink', 'action_needed'],
  ['approved', 'endRelationship', 'approved'],
  ...STATUSES.flatMap((status): [Status, Move, Status][] => [
    [status, 'hold', status],
    [status, 'dropReplacedUploads', status],
    [status, 'releaseHold', status],
  ]),
  ...(['approved', 'rejected'] as const).flatMap((status): [Status, Move, Status][] => [
    [status, 'requestErasure', status],
    [status, 'startErasure', status],
    [status, 'openRestricted', status],
  ]),
];

/** As retention reads it. */
const retained = (verification: Verification): RetainedVerification => ({
  ...toRecord(verification),
  decidedBy: null,
});

const MAKE: Record<Move, (verification: Verification) => { readonly next: object } | null> = {
  saveDraft: (verification) =>
    saveDraft(verification, { step: 'consent', fields: ['version'], input: { version: '1' } }, CONTEXT),
  claim: (verification) => claim(verification, { reviewerId: 'staff-1', now: NOW }),
  release,
  note: (verification) => note(verification, 'hello', { reviewerId: 'staff-1', now: NOW }),
  attachFile: (verification) => attachFile(verification, file('document', 'document_front')),
  completeStep: (verification) =>
    completeStep(
      verification,
      { step: 'consent', input: { accepted: true, version: '1', locale: 'en' } },
      CONTEXT,
    ),
  submit: (verification) => submit(verification, NOW),
  approve: (verification) => approve(verification, NOW),
  reject: (verification) => reject(verification, { reasonCodes: ['data_mismatch'] }, NOW),
  askForAction: (verification) =>
    askForAction(verification, { items: [{ step: 'person', reasonCode: 'data_mismatch' }] }, LINK_CONTEXT),
  withdraw: (verification) => withdraw(verification, NOW),
  expire: (verification) => expire(verification, NOW),
  renewLink: (verification) => renewLink(verification, LINK_CONTEXT),
  endRelationship: (verification) => endRelationship(retained(verification), NOW, NOW),
  hold: (verification) =>
    hold(verification, { reason: 'A court asked' }, { actor: { kind: 'operator', id: null }, now: NOW }),
  releaseHold: (verification) => releaseHold(retained(verification), NOW),
  requestErasure: (verification) => requestErasure(retained(verification), NOW),
  startErasure: (verification) =>
    startErasure(retained(verification), { now: NOW, resumeAt: NOW, requested: true }),
  dropReplacedUploads: (verification) => dropReplacedUploads(verification, { due: [], checkAt: null }),
  openRestricted: (verification) =>
    openRestricted({ ...verification, erasureRequestedAt: NOW }, 'The subject asked for a copy', {
      userId: 'owner-1',
      now: NOW,
    }),
};

const moves = Object.keys(MAKE) as Move[];
const everyPair = STATUSES.flatMap((status) => moves.map((move) => [status, move] as const));

describe('statuses and moves', () => {
  it.each(everyPair)('statuses and moves from %s by %s', (status, move) => {
    const target = LEGAL.find(([from, by]) => from === status && by === move)?.[2] ?? null;
    expect(targetOf(move, status)).toBe(target);
  });

  const illegal = everyPair.filter(([status, move]) => targetOf(move, status) === null);

  it.each(illegal)('statuses and moves in %s, refuses the move %s and names the status', (status, move) => {
    const verification = inState(status);
    const before = structuredCloneOf(verification);
    const attempt = () => MAKE[move](verification);
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'ILLEGAL_TRANSITION',
        data: { status },
        message: expect.stringContaining(`while the verification is ${status}`) as unknown,
      }),
    );
    expect(verification).toEqual(before);
  });

  it('the two final statuses have no move out of them', () => {
    for (const final of ['approved', 'rejected'] as const) {
      const left = moves.filter((move) => (targetOf(move, final) ?? final) !== final);
      expect(left).toEqual([]);
    }
  });

  it.each(moves)('refuses the move %s once the erasure has begun', (move) => {
    const [from] = LEGAL.find(([, by]) => by === move) ?? expect.fail(`${move} is never legal`);
    const erased = { ...inState(from), erasedAt: NOW };
    expect(() => MAKE[move](erased)).toThrow(
      expect.objectContaining({
        code: 'ILLEGAL_TRANSITION',
        data: { status: from },
        message: expect.stringContaining('was erased') as unknown,
      }),
    );
  });

  it('only the three statuses before a decision are active', () => {
    expect(STATUSES.filter(isActive)).toEqual(['pending', 'submitted', 'action_needed']);
  });
});

function structuredCloneOf(verification: Verification): Verification {
  return { ...verification, steps: { ...verification.steps }, files: [...verification.files] };
}

it('statusCounts: a status without verifications has 0', () => {
  expect(statusCounts([['approved', 3]])).toEqual({
    pending: 0,
    submitted: 0,
    action_needed: 0,
    approved: 3,
    rejected: 0,
  });
});
