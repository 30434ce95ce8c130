import { canonicalJson, type JsonObject } from '../input/json.ts';
import { erasedReference } from '../retention/retention-facts.ts';
import type { Secrets } from '../runtime.ts';
import type { VerificationEvent } from '../verification/events.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { Remains } from './retention-repository.ts';

/** Returns what is left of a verification once its data is removed: what `RetentionRepository.erase` leaves. */
export function remainsAfter({ verification, events }: Remains, erased: VerificationEvent, at: Date): Remains {
  const { id, linkExpiresAt, eventCount } = verification;
  const emptied: RetainedVerification = {
    ...verification,
    subjectReference: erasedReference(id),
    idempotencyKey: null,
    idempotencyFingerprint: null,
    sandboxOutcome: null,
    returnUrl: null,
    locale: null,
    linkExpiresAt: linkExpiresAt < at ? linkExpiresAt : at,
    version: erased.version,
    eventCount: eventCount + 1,
  };
  return { verification: emptied, events: [...events, erased] };
}

/**
 * Computes the SHA-256 of what is left: the canonical JSON of the row and of all events, times as ISO 8601 in UTC. The number of the
 * erasure and the times of the next checks are no part of it, because they are set later.
 */
export function hashOfRemains({ verification, events }: Remains, { sha256 }: Pick<Secrets, 'sha256'>): string {
  const { erasureNumber: _, retentionCheckAt: __, uploadsCheckAt: ___, ...row } = verification;
  return sha256(canonicalJson({ verification: plain(row), events: events.map((event) => plain(event)) }));
}

/** The hash of a receipt for an entry of the erasure log that left nothing: its verification is not in the database. */
export function hashOfNothing({ sha256 }: Pick<Secrets, 'sha256'>): string {
  return sha256(canonicalJson({ verification: null, events: [] }));
}

/** Replaces dates by texts. */
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
