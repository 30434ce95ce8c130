import type { EvidenceFile } from '../evidence/evidence-file.ts';
import type { JsonObject } from '../input/json.ts';
import { type DataState, isHidden } from '../retention/data-state.ts';
import type { ActionItem, Decision } from './decision.ts';
import { type HistoryEntry, historyOf } from './events.ts';
import { type StepKey, type SubjectType, stepsOf } from './flow.ts';
import type { Links } from './link.ts';
import { currentStepOf, isStepCompleted } from './progress.ts';
import { type Origins, originsOf } from './readings/origins.ts';
import type { FoundVerification } from './retained.ts';
import type { Status } from './status.ts';
import {
  resolvedAtOf,
  submittedDataOf,
  submittedFiles,
  type Verification,
  type VerificationColumns,
} from './verification.ts';
import type { VerificationRecord } from './verification-record.ts';
import { visiblePart } from './visible-part.ts';

/** The result of a creation: seven fields (interface, Verification). */
export interface CreatedVerification {
  readonly id: string;
  readonly type: SubjectType;
  readonly subjectReference: string;
  readonly status: Status;
  readonly requestedAt: Date;
  readonly currentStep: number;
  readonly verificationUrl: string;
}

/** A verification for its client: the nine fields of the interface, `metadata`, and what else the client sent. */
export interface VerificationView extends CreatedVerification {
  readonly resolvedAt: Date | null;
  readonly submittedData: JsonObject;
  readonly metadata: JsonObject;
  /** Present if the client sent it. */
  readonly returnUrl?: string;
  /** Present if the client sent it. */
  readonly locale?: string;
}

/**
 * Why a list has no data of a verification: `UNREADABLE` if the stored documents are damaged, `UNAVAILABLE` if the server
 * lacks the secret that sealed them.
 */
export const DATA_ERRORS = ['UNREADABLE', 'UNAVAILABLE'] as const;

/** Why data cannot be shown: one of `DATA_ERRORS`. */
export type DataError = (typeof DATA_ERRORS)[number];

/** A verification in a list. If its stored documents cannot be read, it keeps its place and has `dataError`. */
export interface ListedVerification extends VerificationView {
  /**
   * Set if the stored documents cannot be read; `submittedData` is `{}` then. Reading it alone is a fault if it is
   * `UNREADABLE`, and `SERVICE_UNAVAILABLE` if it is `UNAVAILABLE`.
   */
  readonly dataError?: DataError;
}

/** A file for the client or the person. */
export type DocumentView = Omit<EvidenceFile, 'warnings' | 'thumbnail' | 'isKeptByHold' | 'isUnchanged'>;

/** States of a step. `action_needed`: a reviewer flagged it, and it was not redone since. */
export const STEP_STATES = ['pending', 'completed', 'action_needed'] as const;

/** A step of a verification, as clients read it. */
export interface StepView {
  readonly key: StepKey;
  readonly status: (typeof STEP_STATES)[number];
  /** When the current answers were submitted, ISO 8601 in UTC. */
  readonly completedAt: string | null;
}

/** A verification with everything that a client may read. It has no internal notes and no names of users. */
export interface VerificationDetails extends VerificationView {
  readonly totalSteps: number;
  readonly steps: readonly StepView[];
  readonly actionNeeded: { readonly message: string | null; readonly items: readonly ActionItem[] } | null;
  readonly decision: Decision | null;
  /** The files of completed steps, also replaced ones. */
  readonly documents: readonly DocumentView[];
  readonly history: readonly HistoryEntry[];
  /** The state of the data and its end. */
  readonly data: DataState;
  /**
   * Where answers come from that a reading of the document could fill in, by step and path. An answer without an entry was typed. Absent
   * if no document was read.
   */
  readonly origins?: Origins;
  /**
   * Codes of the warnings that reviewers see about the last submission, each once, in the order of the rules. Only for API keys of a client
   * with the setting `warningsInDetails`. Absent until they are computed, and once the data is hidden or erased.
   */
  readonly warnings?: readonly string[];
}

/** Makes the result of a creation. A repeated `Idempotency-Key` gets the same result later. */
export function createdView(verification: Verification, links: Links): CreatedVerification {
  const { id, type, subjectReference, requestedAt } = verification;
  const verificationUrl = links.url(id, 1);
  return { id, type, subjectReference, status: 'pending', requestedAt, currentStep: 0, verificationUrl };
}

/** Makes the view of a verification for its client. It has no data that is hidden. */
export function viewOf(verification: Verification, links: Links): VerificationView {
  return wholeView(visiblePart(verification), links);
}

function wholeView(verification: Verification, links: Links): VerificationView {
  const progress = {
    resolvedAt: resolvedAtOf(verification),
    currentStep: currentStepOf(verification),
    linkVersion: verification.link.version,
  };
  return view(verification, progress, submittedDataOf(verification), links);
}

/** Makes a list's view of a record whose stored documents cannot be read: its clear columns. */
export function viewWithoutData(
  record: VerificationRecord,
  dataError: DataError,
  links: Links,
): ListedVerification {
  const listed = view(record, record, {}, links);
  return { ...listed, ...(isHidden(record) && { metadata: {} }), dataError };
}

/** The order of the keys is the order of the JSON that clients get. */
function view(
  columns: VerificationColumns & { readonly status: Status },
  { resolvedAt, currentStep, linkVersion }: Pick<VerificationRecord, 'resolvedAt' | 'currentStep' | 'linkVersion'>,
  submittedData: JsonObject,
  links: Links,
): VerificationView {
  // No rest of the columns: copying an unreadable record would read its documents.
  const { id, type, subjectReference, status, requestedAt, metadata, returnUrl, locale } = columns;
  return {
    id,
    type,
    subjectReference,
    status,
    requestedAt,
    resolvedAt,
    currentStep,
    verificationUrl: links.url(id, linkVersion),
    submittedData,
    metadata,
    ...(returnUrl !== null && { returnUrl }),
    ...(locale !== null && { locale }),
  };
}

/** Makes the details of a verification. They have no data that is hidden. */
export function detailsOf(found: FoundVerification, links: Links): VerificationDetails {
  return wholeDetailsOf({ ...found, verification: visiblePart(found.verification) }, links);
}

/** Makes the details of a verification, also with data that is hidden: for an owner who gave a reason. */
export function wholeDetailsOf(
  { verification, events, data, readings = [] }: FoundVerification,
  links: Links,
): VerificationDetails {
  const steps = stepsOf(verification.flow);
  const origins = originsOf(verification, readings);
  return {
    ...wholeView(verification, links),
    totalSteps: steps.length,
    steps: steps.map((key) => stepView(verification, key)),
    actionNeeded: verification.status === 'action_needed' ? asked(verification.request) : null,
    decision: 'decision' in verification ? verification.decision : null,
    documents: submittedFiles(verification).map(documentOf),
    history: historyOf(events),
    data,
    ...(origins !== undefined && { origins }),
  };
}

/** Leaves out what only reviewers see (warnings, and whether a redo kept the file), the thumbnail, and whether only a hold keeps it. */
export function documentOf({
  warnings: _,
  thumbnail: __,
  isKeptByHold: ___,
  isUnchanged: ____,
  ...document
}: EvidenceFile): DocumentView {
  return document;
}

function stepView(verification: Verification, key: StepKey): StepView {
  const completedAt = verification.steps[key]?.completedAt ?? null;
  if (isStepCompleted(verification, key)) return { key, status: 'completed', completedAt };
  return { key, status: completedAt === null ? 'pending' : 'action_needed', completedAt };
}

function asked({ message, items }: { message: string | null; items: readonly ActionItem[] }): {
  message: string | null;
  items: readonly ActionItem[];
} {
  return { message, items };
}
