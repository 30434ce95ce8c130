import { type EvidenceFile, storedContentsOf } from '../evidence/evidence-file.ts';
import type { EvidencePlace } from '../evidence/evidence-store.ts';
import type { JsonObject } from '../input/json.ts';
import { type RetentionFacts, retentionFactsOf } from '../retention/retention-facts.ts';
import type { ActionRequest, Decision, InternalNote } from './decision.ts';
import { type Flow, type ScreenPart, type StepKey, type SubjectType, stepOf } from './flow.ts';
import type { VerificationLink } from './link.ts';
import type { SandboxOutcome } from './metadata.ts';
import type { Notify } from './notify.ts';

/** The answers of a completed step. */
export interface CompletedStep {
  readonly answers: JsonObject;
  /** ISO 8601, UTC. */
  readonly completedAt: string;
  /** The version of the verification that these answers made. */
  readonly version: number;
}

/** Answers that were replaced after a reviewer asked for them again. */
export interface EarlierAnswers extends CompletedStep {
  readonly step: StepKey;
  /** ISO 8601, UTC. */
  readonly replacedAt: string;
}

/** A place in the answers that names a file. */
export interface FilePlace {
  readonly step: StepKey;
  /** Where in the step's answers: `document.frontFileId`. */
  readonly path: string;
}

/** The completed steps of a verification, by key. */
export type CompletedSteps = { readonly [K in StepKey]?: CompletedStep };

/** Answers to a part of an open step, kept until the step is completed. */
export type Drafts = { readonly [K in StepKey]?: JsonObject };

/** A reviewer's claim. */
export interface Claim {
  readonly reviewerId: string;
  readonly claimedAt: Date;
}

/** The client's `Idempotency-Key` with a hash of the request it came with. */
export interface IdempotencyMark {
  readonly key: string;
  readonly fingerprint: string;
}

/** Why a hold prevents the erasure. The other fields of a hold are `RetentionFacts`. */
export interface Hold {
  readonly reason: string;
  /** Who set it: only operators change a hold of an operator. */
  readonly setBy: 'team_member' | 'operator';
  /** How often the team set a hold while the verification was open, this one included. Default 0. */
  readonly holdsOfTeam?: number;
}

/** One opening of data that is hidden because its erasure was requested. */
export interface Opening {
  readonly reason: string;
  /** The user who opened it; null for an operator at the command line. */
  readonly userId: string | null;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The fields that a verification and its stored record have in common. */
export interface VerificationColumns extends RetentionFacts {
  readonly clientId: string;
  readonly id: string;
  readonly type: SubjectType;
  readonly subjectReference: string;
  /** The client's own data. */
  readonly metadata: JsonObject;
  /** The outcome that test mode still has to drive it to (sandbox/); null for every other verification. */
  readonly sandboxOutcome: SandboxOutcome | null;
  /** Where the subject may return to, as the client sent it at creation (subscription/return-address.ts); null without one. */
  readonly returnUrl: string | null;
  /** The language tag that the client sent at creation, which may name any language; null without one. */
  readonly locale: string | null;
  readonly requestedAt: Date;
  /** When the subject last submitted it; null before the first time. Stays set in every later state. */
  readonly submittedAt: Date | null;
  /** 1 at creation, one more with each change: the base of compare-and-set. */
  readonly version: number;
  /** Number of its stored events (event-limit.ts). */
  readonly eventCount: number;
}

/** Copies the common fields alone. */
export function columnsOf(columns: VerificationColumns): VerificationColumns {
  return {
    clientId: columns.clientId,
    id: columns.id,
    type: columns.type,
    subjectReference: columns.subjectReference,
    metadata: columns.metadata,
    sandboxOutcome: columns.sandboxOutcome,
    returnUrl: columns.returnUrl,
    locale: columns.locale,
    requestedAt: columns.requestedAt,
    submittedAt: columns.submittedAt,
    version: columns.version,
    eventCount: columns.eventCount,
    ...retentionFactsOf(columns),
  };
}

interface Common extends VerificationColumns {
  /** The version of the flow that it began with. */
  readonly flow: Flow;
  readonly idempotency: IdempotencyMark | null;
  /** Set at creation and never changed; null without it, and of an erased verification. */
  readonly notify: Notify | null;
  readonly link: VerificationLink;
  readonly steps: CompletedSteps;
  readonly drafts: Drafts;
  readonly earlierAnswers: readonly EarlierAnswers[];
  readonly files: readonly EvidenceFile[];
  readonly internalNotes: readonly InternalNote[];
  readonly hold: Hold | null;
  readonly openings: readonly Opening[];
  /** The number of leading completed steps of an erased verification, whose answers are gone; null for every other. */
  readonly stepBeforeErasure: number | null;
}

export interface PendingVerification extends Common {
  readonly status: 'pending';
}

export interface SubmittedVerification extends Common {
  readonly status: 'submitted';
  readonly submittedAt: Date;
  readonly claim: Claim | null;
}

export interface ActionNeededVerification extends Common {
  readonly status: 'action_needed';
  readonly request: ActionRequest;
  /** Steps of the request that were not redone yet. */
  readonly awaiting: readonly StepKey[];
  /** Where a file that the reviewer had seen already was refused once (unchanged-files.ts). Default none. */
  readonly refusedPlaces?: readonly FilePlace[] | undefined;
  /** The pages of awaited steps that the subject left empty (emptied-pages.ts). Default none. */
  readonly emptiedPages?: readonly ScreenPart[] | undefined;
}

export interface ApprovedVerification extends Common {
  readonly status: 'approved';
  readonly resolvedAt: Date;
  readonly decision: Decision & { readonly outcome: 'approved' };
}

export interface RejectedVerification extends Common {
  readonly status: 'rejected';
  readonly resolvedAt: Date;
  readonly decision: Decision & { readonly outcome: 'rejected' };
}

/** A verification has only the fields of its status: an approved one without `resolvedAt` does not type-check. */
export type Verification =
  | PendingVerification
  | SubmittedVerification
  | ActionNeededVerification
  | ApprovedVerification
  | RejectedVerification;

/** Returns the fields that every status has. */
export function commonOf(verification: Verification): Common {
  const { flow, idempotency, notify, link, steps, drafts, earlierAnswers, files, internalNotes } = verification;
  const { hold, openings, stepBeforeErasure } = verification;
  const own = { flow, idempotency, notify, link, steps, drafts, earlierAnswers, files, internalNotes };
  return { ...columnsOf(verification), ...own, hold, openings, stepBeforeErasure };
}

/** Returns the current answers by step (interface, `submittedData`). */
export function submittedDataOf({ steps }: Verification): JsonObject {
  const data: Record<string, JsonObject> = {};
  for (const [step, completed] of Object.entries(steps)) data[step] = completed.answers;
  return data;
}

/** Returns when it was resolved (interface, `resolvedAt`); null while it is active. */
export function resolvedAtOf(verification: Verification): Date | null {
  return 'resolvedAt' in verification ? verification.resolvedAt : null;
}

/** Whether a reviewer rejected the verification for fraud. */
export function isRejectedForFraud(verification: Verification): boolean {
  return verification.status === 'rejected' && verification.decision.reasonCodes.includes('suspected_fraud');
}

/** Returns the ids of the files that the current answers name. */
export function namedFiles({ flow, steps }: Verification): ReadonlySet<string> {
  return new Set(Object.entries(steps).flatMap(([step, { answers }]) => filesIn(flow, step, answers)));
}

/** Lists where the store keeps a file and its thumbnail. */
export function evidencePlacesOf(
  { clientId, id: verificationId }: Pick<Verification, 'clientId' | 'id'>,
  file: EvidenceFile,
): EvidencePlace[] {
  return storedContentsOf(file).map(({ id: fileId }) => ({ clientId, verificationId, fileId }));
}

/** Lists the files that the subject can use. What only a hold keeps since a submission is left out, so that it reveals no hold. */
export function usableFiles({ files }: Verification): EvidenceFile[] {
  return files.filter(({ isKeptByHold }) => isKeptByHold !== true);
}

/** Returns the ids of the files that current or replaced answers name: a reviewer has seen the replaced ones. */
export function filesEverNamed(verification: Verification): ReadonlySet<string> {
  const { flow, earlierAnswers } = verification;
  const earlier = earlierAnswers.flatMap(({ step, answers }) => filesIn(flow, step, answers));
  return new Set([...namedFiles(verification), ...earlier]);
}

/**
 * Lists the files that the client sees: those of completed steps. The subject has not submitted the others or has replaced them, so
 * that a replaced file that only a hold keeps reveals no hold.
 */
export function submittedFiles(verification: Verification): EvidenceFile[] {
  const named = namedFiles(verification);
  return verification.files.filter(({ id }) => named.has(id));
}

/** Lists the ids of the files that answers name. */
export function filesIn(flow: Flow, step: string, answers: JsonObject): string[] {
  return (stepOf(flow, step)?.filesOf(answers) ?? []).map(({ fileId }) => fileId);
}
