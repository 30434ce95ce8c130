import { expect, test } from 'vitest';
import type { StoredTraces } from './retention-repository.ts';
import { hashOfNothing, hashOfTraces } from './stored-traces.ts';

/** Leaves the text as it is, so that a difference can be read. */
const secrets = { sha256: (text: string) => text };

const day = (number: number): Date => new Date(Date.UTC(2026, 2, number));

const TRACES: StoredTraces = {
  verification: {
    clientId: 'client-1',
    id: 'verification-1',
    type: 'kyc',
    flowVersion: 3,
    status: 'approved',
    subjectReference: 'erased:verification-1',
    currentStep: 6,
    linkVersion: 2,
    linkExpiresAt: day(4),
    idempotencyKey: null,
    idempotencyFingerprint: null,
    sandboxOutcome: null,
    returnUrl: null,
    locale: null,
    severity: null,
    isResubmitted: false,
    requestedAt: day(1),
    submittedAt: day(2),
    resolvedAt: day(3),
    decidedBy: 'verification.approved',
    claimedBy: null,
    claimedAt: null,
    relationshipEndedAt: day(5),
    heldAt: null,
    heldBy: null,
    heldUntil: null,
    erasureRequestedAt: null,
    erasedAt: day(6),
    erasureNumber: 7,
    retentionCheckAt: day(8),
    uploadsCheckAt: null,
    version: 9,
    eventCount: 8,
  },
  events: [
    {
      id: 'event-1',
      clientId: 'client-1',
      verificationId: 'verification-1',
      version: 9,
      type: 'verification.data_erased',
      status: 'approved',
      at: day(6),
      actor: { kind: 'operator', id: 'user-1' },
      data: {},
    },
  ],
};

const TEXT =
  '{"events":[{"actor":{"id":"user-1","kind":"operator"},"at":"2026-03-06T00:00:00.000Z","clientId":"client-1","data":{},"id":"event-1","status":"approved","type":"verification.data_erased","verificationId":"verification-1","version":9}],"verification":{"claimedAt":null,"claimedBy":null,"clientId":"client-1","currentStep":6,"decidedBy":"verification.approved","erasedAt":"2026-03-06T00:00:00.000Z","erasureRequestedAt":null,"eventCount":8,"flowVersion":3,"heldAt":null,"heldBy":null,"heldUntil":null,"id":"verification-1","idempotencyFingerprint":null,"idempotencyKey":null,"linkExpiresAt":"2026-03-04T00:00:00.000Z","linkVersion":2,"locale":null,"relationshipEndedAt":"2026-03-05T00:00:00.000Z","requestedAt":"2026-03-01T00:00:00.000Z","resolvedAt":"2026-03-03T00:00:00.000Z","returnUrl":null,"sandboxOutcome":null,"status":"approved","subjectReference":"erased:verification-1","submittedAt":"2026-03-02T00:00:00.000Z","type":"kyc","version":9}}';

test('the hash of what is left is of this text in every version: receipts of older versions stay right', () => {
  expect(hashOfTraces(TRACES, secrets)).toBe(TEXT);
  expect(hashOfNothing(secrets)).toBe('{"events":[],"verification":null}');
});

test('the hash of what is left ignores columns that a later version adds, and those that are set later', () => {
  const { verification, events } = TRACES;
  const added = {
    ...verification,
    addedLater: 1,
    erasureNumber: null,
    retentionCheckAt: null,
    uploadsCheckAt: day(9),
  };
  const withAdded = events.map((event) => ({
    ...event,
    addedLater: 1,
    actor: { ...event.actor, name: 'of a user' },
  }));
  expect(hashOfTraces({ verification: added, events: withAdded }, secrets)).toBe(TEXT);
});
