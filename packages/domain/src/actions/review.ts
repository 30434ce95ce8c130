import type { EvidenceFile } from '../evidence/evidence-file.ts';
import type { Fields, TextField } from '../fields/field.ts';
import { ACTION_REASONS, MESSAGE_MAX, REJECTION_REASONS, type ReasonCode } from '../verification/decision.ts';
import {
  type ReviewedVerification,
  type ReviewQueueInput,
  type ReviewQueuePage,
  type ReviewSummary,
  reviewQueueFields,
} from '../verification/review-queue.ts';
import type { ReviewContext } from '../verification/review-verification.ts';
import type { Verification } from '../verification/verification.ts';
import { type Action, type ClientLookup, defineAction } from './action.ts';
import { type CallerContext, notAllowed } from './caller.ts';
import type { Who } from './rights.ts';

const REVIEWERS: readonly Who[] = ['reviewer', 'operator'];

/** One page of the queue, the longest waiting first. It holds nothing personal. */
export const listReviewQueue: Action<ReviewQueueInput, ReviewQueuePage> = defineAction({
  id: 'review.queue',
  who: REVIEWERS,
  fields: reviewQueueFields,
  audit: { log: 'refusals' },
  outcomes: [],
  run: ({ review }, input) => review.queue(input),
});

interface OnVerification {
  readonly verificationId: string;
}

/** The audit log names the verification and its client. */
const aboutVerification: { readonly target: 'verificationId'; readonly client: ClientLookup } = {
  target: 'verificationId',
  client: ({ clientOfVerification }, verificationId) => clientOfVerification(verificationId),
};

/** Everything a reviewer sees of a verification. */
export const openForReview: Action<OnVerification, ReviewedVerification> = defineAction({
  id: 'review.open',
  who: REVIEWERS,
  fields: { verificationId: { kind: 'id', by: 'page' } },
  audit: aboutVerification,
  outcomes: ['VERIFICATION_NOT_FOUND'],
  run: ({ review }, { verificationId }) => review.open(verificationId),
});

export const readFileForReview: Action<
  OnVerification & { readonly fileId: string },
  { readonly file: EvidenceFile; readonly content: Uint8Array }
> = defineAction({
  id: 'review.read_file',
  who: REVIEWERS,
  fields: { verificationId: { kind: 'id', by: 'page' }, fileId: { kind: 'id', by: 'page' } },
  audit: { ...aboutVerification, keep: ['fileId'] },
  outcomes: ['VERIFICATION_NOT_FOUND', 'FILE_NOT_FOUND'],
  run: ({ review }, { verificationId, fileId }) => review.readFile(verificationId, fileId),
});

/** What the page shows that asks a reviewer to confirm a decision: nothing that the subject submitted. */
export const previewDecision: Action<OnVerification, ReviewSummary> = defineAction({
  id: 'review.preview',
  who: REVIEWERS,
  fields: { verificationId: { kind: 'id', by: 'page' } },
  audit: { ...aboutVerification, log: 'refusals' },
  outcomes: ['VERIFICATION_NOT_FOUND'],
  run: ({ review }, { verificationId }) => review.summarize(verificationId),
});

/** What a reviewer decides on: a verification at the version that they saw. */
interface Seen extends OnVerification {
  readonly version: number;
}

interface Decision extends Seen {
  /** For other reviewers only. */
  readonly internalNote?: string | undefined;
}

const seenFields: Fields<Seen> = {
  verificationId: { kind: 'id', by: 'page' },
  version: { kind: 'number', integer: true, min: 1, by: 'page' },
};
const longText: TextField = { kind: 'text', shape: 'paragraph', max: MESSAGE_MAX };

const CONFLICTS = ['VERIFICATION_NOT_FOUND', 'VERSION_CONFLICT', 'ILLEGAL_TRANSITION'] as const;

/** The caller decides in their own name: a reviewer's id is never part of the input. */
function contextOf(input: Decision, { session }: CallerContext): ReviewContext {
  if (session === null) throw notAllowed();
  const { verificationId, version, internalNote } = input;
  return { verificationId, expectedVersion: version, reviewerId: session.user.id, internalNote };
}

/** Takes a submitted case, so that no other reviewer decides it. */
export const claimVerification: Action<Seen, Verification> = defineAction({
  id: 'review.claim',
  who: REVIEWERS,
  fields: seenFields,
  audit: aboutVerification,
  outcomes: [...CONFLICTS, 'CLAIMED_BY_ANOTHER'],
  run: async ({ review }, input, caller) => review.claim(contextOf(input, caller)),
});

/** Gives a case back: one's own, or one that a colleague left. */
export const releaseVerification: Action<Seen, Verification> = defineAction({
  id: 'review.release',
  who: REVIEWERS,
  fields: seenFields,
  audit: aboutVerification,
  outcomes: CONFLICTS,
  run: async ({ review }, input, caller) => review.release(contextOf(input, caller)),
});

/** Writes a note for other reviewers. */
export const noteOnVerification: Action<Seen & { readonly text: string }, Verification> = defineAction({
  id: 'review.note',
  who: REVIEWERS,
  fields: { ...seenFields, text: longText },
  audit: aboutVerification,
  outcomes: CONFLICTS,
  run: async ({ review }, { text, ...input }, caller) => review.note(contextOf(input, caller), text),
});

export const approveVerification: Action<Decision, Verification> = defineAction({
  id: 'review.approve',
  who: REVIEWERS,
  fields: { ...seenFields, internalNote: { ...longText, optional: true } },
  audit: aboutVerification,
  outcomes: [...CONFLICTS, 'CLAIMED_BY_ANOTHER'],
  run: async ({ review }, input, caller) => review.approve(contextOf(input, caller)),
});

/** Rejects for one or more reasons. The reason `other` needs a message. */
export const rejectVerification: Action<
  Decision & { readonly reasonCodes: readonly ReasonCode[]; readonly message?: string | undefined },
  Verification
> = defineAction({
  id: 'review.reject',
  who: REVIEWERS,
  fields: {
    ...seenFields,
    reasonCodes: {
      kind: 'list',
      each: { kind: 'choice', of: REJECTION_REASONS },
      min: 1,
      max: REJECTION_REASONS.length,
    },
    message: { ...longText, optional: true },
    internalNote: { ...longText, optional: true },
  },
  audit: { ...aboutVerification, keep: ['reasonCodes'] },
  outcomes: [...CONFLICTS, 'CLAIMED_BY_ANOTHER'],
  run: async ({ review }, { reasonCodes, message, ...input }, caller) =>
    review.reject(contextOf(input, caller), { reasonCodes, message }),
});

/** One step that the subject has to redo. The reason `other` needs a note. */
interface RequestedStep {
  readonly step: string;
  readonly reasonCode: ReasonCode;
  readonly note?: string | undefined;
}

const ITEMS_MAX = 50;

/** Asks the subject to redo steps. Only they reopen. */
export const askForAction: Action<
  Decision & { readonly items: readonly RequestedStep[]; readonly message?: string | undefined },
  Verification
> = defineAction({
  id: 'review.ask_for_action',
  who: REVIEWERS,
  fields: {
    ...seenFields,
    items: {
      kind: 'rows',
      fields: {
        step: { kind: 'id' },
        reasonCode: { kind: 'choice', of: ACTION_REASONS },
        note: { ...longText, optional: true },
      },
      min: 1,
      max: ITEMS_MAX,
    },
    message: { ...longText, optional: true },
    internalNote: { ...longText, optional: true },
  },
  audit: {
    ...aboutVerification,
    detail: ({ items }) => ({
      reasonCodes: ACTION_REASONS.filter((code) => items.some(({ reasonCode }) => reasonCode === code)),
    }),
  },
  outcomes: [...CONFLICTS, 'CLAIMED_BY_ANOTHER'],
  run: async ({ review }, { items, message, ...input }, caller) =>
    review.askForAction(contextOf(input, caller), { items, message }),
});
