import { canonicalJson, type JsonObject } from '../input/json.ts';
import { erasedReference } from '../retention/retention-facts.ts';
import type { Secrets } from '../runtime.ts';
import type { VerificationEvent } from '../verification/events.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { StoredTraces } from './retention-repository.ts';

/** Returns what is left of a verification once its data is removed: what `RetentionRepository.erase` leaves. */
export function tracesAfter(
  { verification, events }: StoredTraces,
  erased: VerificationEvent,
  at: Date,
): StoredTraces {
  const { id, linkExpiresAt, eventCount } = verification;
  const emptied: RetainedVerification = {
    ...verification,
    subjectReference: erasedReference(id),
    idempotencyKey: null,
    idempotencyFingerprint: null,
    sandboxOutcome: null,
    returnUrl: null,
    locale: null,
    severity: null,
    linkExpiresAt: linkExpiresAt < at ? linkExpiresAt : at,
    version: erased.version,
    eventCount: eventCount + 1,
  };
  return { verification: emptied, events: [...events, erased] };
}

/**
 * The columns of the row that the hash covers. The list never changes, so that receipts of older versions stay right when a column is
 * added. The number of the erasure and the times of the next checks are not in it, because they are set later.
 */
const COLUMNS = [
  'clientId',
  'id',
  'type',
  'flowVersion',
  'status',
  'subjectReference',
  'currentStep',
  'linkVersion',
  'linkExpiresAt',
  'idempotencyKey',
  'idempotencyFingerprint',
  'sandboxOutcome',
  'returnUrl',
  'locale',
  'requestedAt',
  'submittedAt',
  'resolvedAt',
  'decidedBy',
  'claimedBy',
  'claimedAt',
  'relationshipEndedAt',
  'heldAt',
  'heldBy',
  'heldUntil',
  'erasureRequestedAt',
  'erasedAt',
  'version',
  'eventCount',
] as const satisfies readonly (keyof RetainedVerification)[];

/** The columns of each event that the hash covers, besides `kind` and `id` of its actor. */
const EVENT_COLUMNS = [
  'id',
  'clientId',
  'verificationId',
  'version',
  'type',
  'status',
  'at',
] as const satisfies readonly (keyof VerificationEvent)[];

/**
 * Computes the SHA-256 of what is left: the canonical JSON of fixed columns of the row and of all events, times as ISO 8601 in UTC.
 */
export function hashOfTraces({ verification, events }: StoredTraces, { sha256 }: Pick<Secrets, 'sha256'>): string {
  const plainEvents = events.map((event) => ({
    ...plain(event, EVENT_COLUMNS),
    actor: { kind: event.actor.kind, id: event.actor.id },
    data: {},
  }));
  return sha256(canonicalJson({ verification: plain(verification, COLUMNS), events: plainEvents }));
}

/** The hash of a receipt for an entry of the erasure log that left nothing: its verification is not in the database. */
export function hashOfNothing({ sha256 }: Pick<Secrets, 'sha256'>): string {
  return sha256(canonicalJson({ verification: null, events: [] }));
}

/** Takes these columns, and replaces dates by texts. */
function plain<Column extends string>(
  row: { readonly [K in Column]: unknown },
  columns: readonly Column[],
): JsonObject {
  const taken = Object.fromEntries(columns.map((column) => [column, row[column]]));
  return JSON.parse(JSON.stringify(taken)) as JsonObject;
}
