import type { EventType, Status, VerificationEvent } from '@countersign/domain';
import type { VerificationRecord } from '@countersign/domain/storage';
import { eventIdOf, minute } from './ids.ts';

const TYPE_OF: Readonly<Record<Status, EventType>> = {
  pending: 'verification.step_completed',
  submitted: 'verification.submitted',
  action_needed: 'verification.action_requested',
  approved: 'verification.approved',
  rejected: 'verification.rejected',
};

/** The event of a record's last change. */
export function eventOf(record: VerificationRecord, given: Partial<VerificationEvent> = {}): VerificationEvent {
  const { clientId, id, type, status, version, requestedAt } = record;
  const minutes = (requestedAt.getTime() - minute(0).getTime()) / 60_000 + version - 1;
  return {
    id: eventIdOf(record),
    clientId,
    verificationId: id,
    type: version === 1 ? 'verification.created' : TYPE_OF[status],
    version,
    status,
    at: minute(minutes),
    actor: { kind: 'system', id: null },
    data: { type },
    ...given,
  };
}
