import type { AuditEntry, CreateRequest, VerificationRecord } from '@countersign/domain';

const AT = new Date('2026-03-10T12:00:00Z');

export const CLIENT = { id: 'client-1', name: 'Client', createdAt: AT, sandbox: false };

/** The n-th creation of the client: its ids and its subject carry the number. */
export function aCreateRequest(n: number, { allowance = 1_000_000 }: { allowance?: number } = {}): CreateRequest {
  const record: VerificationRecord = {
    clientId: CLIENT.id,
    id: `verification-${n}`,
    type: 'kyc',
    subjectReference: `subject-${n}`,
    status: 'pending',
    requestedAt: AT,
    resolvedAt: null,
    submittedAt: null,
    claimedBy: null,
    claimedAt: null,
    currentStep: 0,
    version: 1,
    linkVersion: 1,
    linkExpiresAt: new Date('2026-04-09T12:00:00Z'),
    idempotencyKey: null,
    idempotencyFingerprint: null,
    sandboxOutcome: null,
    dataKey: null,
    metadata: { order: n },
    answers: {},
    reviewData: {},
  };
  const event = {
    id: `event-${n}`,
    clientId: CLIENT.id,
    verificationId: record.id,
    version: 1,
    status: record.status,
    type: 'verification.created',
    data: {},
    at: AT,
    actor: { kind: 'client', id: null },
  } as const;
  return { record, event, month: '2026-03', allowance };
}

/** The n-th line of the audit log, with made-up hashes. */
export function anAuditEntry(n: number, given: Partial<AuditEntry> = {}): AuditEntry {
  return {
    sequence: n,
    at: AT,
    actor: { kind: 'operator', id: 'staff-1' },
    from: '192.0.2.1',
    action: 'clients.create',
    outcome: 'allowed',
    clientId: CLIENT.id,
    targetId: CLIENT.id,
    detail: { plan: 'standard' },
    previousHash: hashOf(n - 1),
    hash: hashOf(n),
    ...given,
  };
}

function hashOf(n: number): string {
  return n.toString(16).padStart(64, '0');
}
