import type { FilePart } from '../evidence/evidence-keeper.ts';
import type { Fields } from '../fields/field.ts';
import { findReviewer } from '../staff/find-reviewer.ts';
import type { Client } from '../subscription/client-repository.ts';
import { CLIENT_CHOICES, CLIENT_NAME_MAX } from '../subscription/manage-clients.ts';
import { type ClaimedNext, type ClaimNextInput, claimNextFields } from '../verification/claim-next.ts';
import {
  ACTION_REASONS,
  type ActionNeeded,
  actionNeededFields,
  messageField,
  type Rejection,
  rejectionFields,
} from '../verification/decision.ts';
import type { QueueSubjectView } from '../verification/queue-subjects.ts';
import { LIST_LIMIT_MAX } from '../verification/read-verifications.ts';
import {
  type ReviewedVerification,
  type ReviewQueueInput,
  type ReviewQueuePage,
  type ReviewSummary,
  reviewQueueFields,
} from '../verification/review-queue.ts';
import type { ReviewContext } from '../verification/review-verification.ts';
import { type CaseSearch, caseSearchFields, type FoundCases } from '../verification/search-cases.ts';
import { shortReference } from '../verification/short-reference.ts';
import type { TeamDay } from '../verification/team-day.ts';
import type { Verification } from '../verification/verification.ts';
import { type Action, defineAction } from './action.ts';
import { type CallerContext, notAllowed } from './caller.ts';
import type { Who } from './rights.ts';
import {
  aboutVerification,
  fileRead,
  type OnFile,
  type OnVerification,
  partOf,
  verificationField,
} from './targets.ts';

const REVIEWERS: readonly Who[] = ['reviewer', 'operator'];

/** Reads a page of the queue, the longest wait first, without personal data. */
export const listReviewQueue: Action<ReviewQueueInput, ReviewQueuePage> = defineAction({
  id: 'review.queue',
  who: REVIEWERS,
  fields: reviewQueueFields,
  audit: { log: 'refusals' },
  run: ({ review }, input) => review.queue(input),
});

/** Reads whom the verifications on a page of the queue are about. The log gets one entry for the page. */
export const readQueueSubjects: Action<
  { readonly verificationIds: readonly string[] },
  ReadonlyMap<string, QueueSubjectView>
> = defineAction({
  id: 'review.queue_subjects',
  who: REVIEWERS,
  fields: { verificationIds: { kind: 'list', each: { kind: 'id' }, min: 1, max: LIST_LIMIT_MAX, by: 'page' } },
  audit: { detail: ({ verificationIds }) => ({ cases: verificationIds.map(shortReference) }) },
  async run({ review, watchReading }, { verificationIds }, caller) {
    const subjects = await review.subjects(verificationIds);
    await watchReading.listed(caller, verificationIds.length);
    return subjects;
  },
});

/**
 * Finds cases of any status by what identifies them, and reads whom they are about. The audit log gets one entry: the kind of search
 * and the cases found, never what was searched for.
 */
export const searchCases: Action<CaseSearch, FoundCases> = defineAction({
  id: 'review.search',
  who: REVIEWERS,
  fields: caseSearchFields,
  audit: {
    client: 'clientId',
    detail: ({ birthDate }) => ({ by: birthDate === undefined ? 'text' : 'name' }),
    found: ({ items }) => ({ rows: items.length, cases: items.map(({ id }) => shortReference(id)) }),
  },
  outcomes: ['CLIENT_NOT_FOUND'],
  async run({ review, watchReading }, input, caller) {
    const found = await review.search(input);
    await watchReading.searched(caller);
    return found;
  },
});

/** Reads what waits for reviewers, and what they decided today. */
export const readTeamDay: Action<object, TeamDay> = defineAction({
  id: 'review.day',
  who: REVIEWERS,
  fields: {},
  audit: { log: 'refusals' },
  run: ({ review }) => review.day(),
});

/** A client as reviewers see it. */
export type ClientName = Pick<Client, 'id' | 'name'>;

interface FoundClients {
  /** The first `CLIENT_CHOICES` by name. */
  readonly clients: readonly ClientName[];
  /** Whether there are more. */
  readonly hasMore: boolean;
}

/** Finds clients to choose from: by the start of their name, or one by its id. */
export const findClients: Action<{ readonly name?: string | undefined }, FoundClients> = defineAction({
  id: 'review.clients',
  who: REVIEWERS,
  fields: { name: { kind: 'text', shape: 'label', max: CLIENT_NAME_MAX, optional: true } },
  audit: { log: 'refusals' },
  run: async ({ clients }, search): Promise<FoundClients> => {
    const found = await clients.search(search, CLIENT_CHOICES);
    return {
      clients: found.clients.map(({ client: { id, name } }) => ({ id, name })),
      hasMore: found.next !== null,
    };
  },
});

/** Returns the names of the clients on a page, by id. */
export const nameClients: Action<
  { readonly clientIds: readonly string[] },
  ReadonlyMap<string, string>
> = defineAction({
  id: 'review.client_names',
  who: REVIEWERS,
  fields: { clientIds: { kind: 'list', each: { kind: 'id' }, max: LIST_LIMIT_MAX, by: 'page' } },
  audit: { log: 'refusals' },
  run: ({ clients }, { clientIds }) => clients.names(clientIds),
});

/** Opens a verification with everything that a reviewer sees, and its latest events or all of them. */
export const openForReview: Action<
  OnVerification & { readonly allEvents?: boolean | undefined },
  ReviewedVerification
> = defineAction({
  id: 'review.open',
  who: REVIEWERS,
  fields: {
    ...verificationField,
    allEvents: { kind: 'flag', by: 'page', optional: true },
  },
  audit: aboutVerification,
  outcomes: ['VERIFICATION_NOT_FOUND'],
  async run({ review, watchReading }, { verificationId, allEvents }, caller) {
    const opened = await review.open(verificationId, { allEvents });
    await watchReading.opened(caller, verificationId);
    return opened;
  },
});

/** Reads a file of a verification, or the picture of one page of a PDF (`page`, from 1), for its review. Outcomes: `VERIFICATION_NOT_FOUND`, `FILE_NOT_FOUND`. */
export const readFileForReview: Action<OnFile, FilePart> = defineAction({
  id: 'review.read_file',
  who: REVIEWERS,
  ...fileRead,
  outcomes: ['VERIFICATION_NOT_FOUND', 'FILE_NOT_FOUND'],
  run: ({ review }, input) => review.readFile(input.verificationId, input.fileId, partOf(input)),
});

/** Summarises a verification on the page that confirms a decision, without submitted data. */
export const previewDecision: Action<OnVerification, ReviewSummary> = defineAction({
  id: 'review.preview',
  who: REVIEWERS,
  fields: verificationField,
  audit: { ...aboutVerification, log: 'refusals' },
  outcomes: ['VERIFICATION_NOT_FOUND'],
  run: ({ review }, { verificationId }) => review.summarize(verificationId),
});

/** A verification at the version that the reviewer saw. */
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

const CONFLICTS = ['VERIFICATION_NOT_FOUND', 'VERSION_CONFLICT', 'ILLEGAL_TRANSITION'] as const;

/** The reviewer is always the caller: a reviewer's id is never part of the input. */
function reviewerIn({ session }: CallerContext): string {
  if (session === null) throw notAllowed();
  return session.user.id;
}

function contextOf({ verificationId, version, internalNote }: Decision, caller: CallerContext): ReviewContext {
  return { verificationId, expectedVersion: version, reviewerId: reviewerIn(caller), internalNote };
}

/** Claims a submitted verification, so that other reviewers cannot decide it. */
export const claimVerification: Action<Seen, Verification> = defineAction({
  id: 'review.claim',
  who: REVIEWERS,
  fields: seenFields,
  audit: aboutVerification,
  outcomes: [...CONFLICTS, 'CLAIMED_BY_ANOTHER', 'EVENT_LIMIT_REACHED'],
  run: async ({ review }, input, caller) => review.claim(contextOf(input, caller)),
});

/** Claims the submitted verification that matches and has waited longest; null if none can be claimed. */
export const claimNextVerification: Action<ClaimNextInput, ClaimedNext | null> = defineAction({
  id: 'review.claim_next',
  who: REVIEWERS,
  fields: claimNextFields,
  audit: {
    client: 'clientId',
    made: (claimed) => claimed && { targetId: claimed.verificationId, clientId: claimed.clientId },
  },
  run: async ({ review }, input, caller) => review.claimNext(reviewerIn(caller), input),
});

/** Releases a claim: the caller's own or a colleague's. */
export const releaseVerification: Action<Seen, Verification> = defineAction({
  id: 'review.release',
  who: REVIEWERS,
  fields: seenFields,
  audit: aboutVerification,
  outcomes: [...CONFLICTS, 'EVENT_LIMIT_REACHED'],
  run: async ({ review }, input, caller) => review.release(contextOf(input, caller)),
});

/** Hands a submitted verification over to a colleague: the claim passes to them, also from another reviewer. */
export const handOverVerification: Action<Decision & { readonly email: string }, Verification> = defineAction({
  id: 'review.hand_over',
  who: REVIEWERS,
  fields: { ...seenFields, email: { kind: 'email' }, internalNote: { ...messageField, optional: true } },
  audit: aboutVerification,
  outcomes: [...CONFLICTS, 'EVENT_LIMIT_REACHED'],
  run: async ({ review, staff }, { email, ...input }, caller) => {
    const { id } = await findReviewer(staff, email);
    return review.handOver(contextOf(input, caller), id);
  },
});

/** Writes a note for other reviewers. */
export const noteOnVerification: Action<Seen & { readonly text: string }, Verification> = defineAction({
  id: 'review.note',
  who: REVIEWERS,
  fields: { ...seenFields, text: messageField },
  audit: aboutVerification,
  outcomes: [...CONFLICTS, 'EVENT_LIMIT_REACHED'],
  run: async ({ review }, { text, ...input }, caller) => review.note(contextOf(input, caller), text),
});

interface Approval extends Decision {
  /** Keys of the warnings that the reviewer checked, as `warningKey` returns them. Without it, no warning has to be checked. */
  readonly checkedWarnings?: readonly string[] | undefined;
}

/** More than a verification has. */
const WARNINGS_MAX = 1_000;

/** Approves a submitted verification. With `checkedWarnings`, each warning that has to be checked (`hasToBeChecked`) must be among them. Outcomes: `VERIFICATION_NOT_FOUND`, `VERSION_CONFLICT`, `ILLEGAL_TRANSITION`, `CLAIMED_BY_ANOTHER`. */
export const approveVerification: Action<Approval, Verification> = defineAction({
  id: 'review.approve',
  who: REVIEWERS,
  fields: {
    ...seenFields,
    checkedWarnings: {
      kind: 'list',
      each: { kind: 'text', max: 200 },
      max: WARNINGS_MAX,
      by: 'page',
      optional: true,
    },
    internalNote: { ...messageField, optional: true },
  },
  audit: aboutVerification,
  outcomes: [...CONFLICTS, 'CLAIMED_BY_ANOTHER'],
  run: async ({ review }, { checkedWarnings, ...input }, caller) =>
    review.approve(contextOf(input, caller), checkedWarnings),
});

/** Rejects for one or more reasons. The reason `other` requires a message. */
export const rejectVerification: Action<Decision & Rejection, Verification> = defineAction({
  id: 'review.reject',
  who: REVIEWERS,
  fields: { ...seenFields, ...rejectionFields, internalNote: { ...messageField, optional: true } },
  audit: { ...aboutVerification, keep: ['reasonCodes'] },
  outcomes: [...CONFLICTS, 'CLAIMED_BY_ANOTHER'],
  run: async ({ review }, { reasonCodes, message, ...input }, caller) =>
    review.reject(contextOf(input, caller), { reasonCodes, message }),
});

/** Asks the subject to redo steps. Only these steps reopen. The reason `other` requires a note. */
export const askForAction: Action<Decision & ActionNeeded, Verification> = defineAction({
  id: 'review.ask_for_action',
  who: REVIEWERS,
  fields: { ...seenFields, ...actionNeededFields, internalNote: { ...messageField, optional: true } },
  audit: {
    ...aboutVerification,
    detail: ({ items }) => ({
      reasonCodes: ACTION_REASONS.filter((code) => items.some(({ reasonCode }) => reasonCode === code)),
    }),
  },
  outcomes: [...CONFLICTS, 'CLAIMED_BY_ANOTHER', 'EVENT_LIMIT_REACHED'],
  run: async ({ review }, { items, message, ...input }, caller) =>
    review.askForAction(contextOf(input, caller), { items, message }),
});
