import { expect, test } from 'vitest';
import { someFlowRules } from '../../test-support/flow-rules.ts';
import { NOW, submitted } from '../../test-support/verifications.ts';
import type { Change } from './change-verification.ts';
import { createReviewVerification, type ReviewContext } from './review-verification.ts';
import type { Verification } from './verification.ts';
import { toRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

const earlier = { text: 'Called them', reviewerId: 'rita', writtenAt: NOW.toISOString() };
const before: Verification = { ...submitted(), internalNotes: [earlier] };

/** A reviewer's decisions about `before`, each decided immediately. */
const review = createReviewVerification({
  verifications: {
    findForAnyClient: async () => toRecord(before),
  } as Partial<VerificationRepository> as VerificationRepository,
  change: async ({ find, refuse, decide }: Change) => {
    await find();
    refuse?.(before);
    const decided = decide(before, NOW);
    return decided !== null && 'next' in decided ? decided.next : before;
  },
  readFlowRules: async () => someFlowRules({ linkDays: 7 }),
});

const decisions: [name: string, decide: (context: ReviewContext) => Promise<Verification>][] = [
  ['approve', (context) => review.approve(context)],
  ['reject', (context) => review.reject(context, { reasonCodes: ['data_mismatch'] })],
  [
    'askForAction',
    (context) => review.askForAction(context, { items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }] }),
  ],
];

const context = { verificationId: 'verification-1', expectedVersion: 1, reviewerId: 'staff-1' };

test.each(decisions)('%s: adds the internal note after earlier ones, or none', async (_name, decide) => {
  const noted = await decide({ ...context, internalNote: ' All fine ' });
  const entry = { text: 'All fine', reviewerId: 'staff-1', writtenAt: NOW.toISOString() };
  expect(noted.internalNotes).toEqual([earlier, entry]);
  expect((await decide(context)).internalNotes).toEqual([earlier]);
});

test.each(decisions)('%s: refuses an internal note that is too long', async (_name, decide) => {
  await expect(decide({ ...context, internalNote: 'x'.repeat(2001) })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  });
});
