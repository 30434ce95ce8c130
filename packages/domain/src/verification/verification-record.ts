import type { EvidenceFile } from '../evidence/evidence-file.ts';
import type { JsonObject } from '../json.ts';
import type { StepKey, SubjectType } from './flow.ts';
import type { ActionRequest, Decision, InternalNote } from './review.ts';
import type { Status } from './status.ts';
import {
  type CompletedSteps,
  commonOf,
  currentStepOf,
  type EarlierAnswers,
  resolvedAtOf,
  type Verification,
} from './verification.ts';

/**
 * A verification as a storage keeps it: flat, one value a column. The first part is what storages search, sort and
 * guard by; the JSON documents after it are opaque to them. The domain alone translates (`toRecord`, `fromRecord`).
 */
export interface VerificationRecord {
  readonly clientId: string;
  readonly id: string;
  readonly type: SubjectType;
  readonly subjectReference: string;
  readonly status: Status;
  readonly requestedAt: Date;
  /** Set just in the states approved and rejected. */
  readonly resolvedAt: Date | null;
  readonly currentStep: number;
  readonly version: number;
  readonly linkVersion: number;
  readonly linkExpiresAt: Date;
  /** Both set or both null. */
  readonly idempotencyKey: string | null;
  readonly idempotencyFingerprint: string | null;
  /** The client's own. */
  readonly metadata: JsonObject;
  /** Personal data: the answers that stand and the earlier ones. */
  readonly answers: JsonObject;
  /** Files, and everything of the review. */
  readonly dossier: JsonObject;
}

interface Answers {
  readonly steps?: CompletedSteps;
  readonly earlier?: readonly EarlierAnswers[];
}

interface Dossier {
  readonly files?: readonly EvidenceFile[];
  readonly internalNotes?: readonly InternalNote[];
  readonly submittedAt?: string;
  readonly request?: ActionRequest;
  readonly awaiting?: readonly StepKey[];
  readonly decision?: Decision;
}

/** What is to be stored of a verification. */
export function toRecord(verification: Verification): VerificationRecord {
  const { id, clientId, type, subjectReference, metadata, requestedAt, version, link, idempotency } =
    commonOf(verification);
  const { steps, earlierAnswers, files, internalNotes, status } = verification;
  const answers: Answers = {
    ...(Object.keys(steps).length > 0 && { steps }),
    ...(earlierAnswers.length > 0 && { earlier: earlierAnswers }),
  };
  const dossier: Dossier = {
    ...(files.length > 0 && { files }),
    ...(internalNotes.length > 0 && { internalNotes }),
    ...stateOf(verification),
  };
  return {
    clientId,
    id,
    type,
    subjectReference,
    status,
    requestedAt,
    metadata,
    version,
    resolvedAt: resolvedAtOf(verification),
    currentStep: currentStepOf(verification),
    linkVersion: link.version,
    linkExpiresAt: link.expiresAt,
    idempotencyKey: idempotency?.key ?? null,
    idempotencyFingerprint: idempotency?.fingerprint ?? null,
    answers: answers as unknown as JsonObject,
    dossier: dossier as unknown as JsonObject,
  };
}

function stateOf(verification: Verification): Dossier {
  switch (verification.status) {
    case 'pending':
      return {};
    case 'submitted':
      return { submittedAt: verification.submittedAt.toISOString() };
    case 'action_needed':
      return { request: verification.request, awaiting: verification.awaiting };
    case 'approved':
    case 'rejected':
      return { decision: verification.decision };
    default:
      return verification satisfies never;
  }
}

/** The verification of a record. Throws where the record breaks the rules of its state: that is a fault, not an answer. */
export function fromRecord(record: VerificationRecord): Verification {
  const { clientId, id, type, subjectReference, metadata, requestedAt, version, idempotencyKey } = record;
  const answers = record.answers as Answers;
  const dossier = record.dossier as unknown as Dossier;
  const common = {
    clientId,
    id,
    type,
    subjectReference,
    metadata,
    requestedAt,
    version,
    link: { version: record.linkVersion, expiresAt: record.linkExpiresAt },
    idempotency:
      idempotencyKey === null
        ? null
        : {
            key: idempotencyKey,
            fingerprint: present(record, 'idempotencyFingerprint', record.idempotencyFingerprint),
          },
    steps: answers.steps ?? {},
    earlierAnswers: answers.earlier ?? [],
    files: dossier.files ?? [],
    internalNotes: dossier.internalNotes ?? [],
  };
  switch (record.status) {
    case 'pending':
      return { ...common, status: 'pending' };
    case 'submitted':
      return {
        ...common,
        status: 'submitted',
        submittedAt: new Date(present(record, 'submittedAt', dossier.submittedAt)),
      };
    case 'action_needed': {
      const request = present(record, 'request', dossier.request);
      return {
        ...common,
        status: 'action_needed',
        request,
        awaiting: present(record, 'awaiting', dossier.awaiting),
      };
    }
    case 'approved':
      return { ...common, status: 'approved', ...resolution(record, dossier, 'approved') };
    case 'rejected':
      return { ...common, status: 'rejected', ...resolution(record, dossier, 'rejected') };
    default:
      throw corrupt(record, `unknown status ${String(record.status satisfies never)}`);
  }
}

function resolution<O extends Decision['outcome']>(
  record: VerificationRecord,
  dossier: Dossier,
  outcome: O,
): { resolvedAt: Date; decision: Decision & { outcome: O } } {
  const decision = present(record, 'decision', dossier.decision);
  if (decision.outcome !== outcome) throw corrupt(record, `decision ${decision.outcome} in state ${outcome}`);
  return { resolvedAt: present(record, 'resolvedAt', record.resolvedAt), decision: { ...decision, outcome } };
}

function present<T>(record: VerificationRecord, field: string, value: T | null | undefined): T {
  if (value === null || value === undefined) throw corrupt(record, `no ${field} in state ${record.status}`);
  return value;
}

function corrupt({ id }: VerificationRecord, what: string): Error {
  return new Error(`The stored verification ${id} is corrupt: ${what}`);
}
