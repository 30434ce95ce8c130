import { describe, expect, it } from 'vitest';
import { CONTEXT, file, inState, LINK_CONTEXT, NOW } from '../../test-support/verifications.ts';
import { expire } from './expire-verifications.ts';
import { renewLink, withdraw } from './manage-verification.ts';
import { approve, askForAction, claim, note, reject, release } from './reviewer-moves.ts';
import { isActive, type Move, STATUSES, type Status, statusCounts, targetOf } from './status.ts';
import { attachFile, completeStep, saveDraft, submit } from './subject-moves.ts';
import type { QuietTransition, Transition } from './transition.ts';
import type { Verification } from './verification.ts';

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
];

const MAKE: Record<Move, (verification: Verification) => Transition | QuietTransition | null> = {
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
};

const moves = Object.keys(MAKE) as Move[];
const everyPair = STATUSES.flatMap((status) => moves.map((move) => [status, move] as const));

describe('statuses and moves', () => {
  it.each(everyPair)('from %s by %s', (status, move) => {
    const target = LEGAL.find(([from, by]) => from === status && by === move)?.[2] ?? null;
    expect(targetOf(move, status)).toBe(target);
  });

  const illegal = everyPair.filter(([status, move]) => targetOf(move, status) === null);

  it.each(illegal)('in %s, refuses the move %s and names the status', (status, move) => {
    const verification = inState(status);
    const before = structuredCloneOf(verification);
    const attempt = () => MAKE[move](verification);
    expect(attempt).toThrow(expect.objectContaining({ code: 'ILLEGAL_TRANSITION', data: { status } }));
    expect(verification).toEqual(before);
  });

  it('has no move out of the two final statuses', () => {
    const out = moves.filter((move) => targetOf(move, 'approved') ?? targetOf(move, 'rejected'));
    expect(out).toEqual([]);
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
