import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import type { CreateRequest } from '@countersign/domain/storage';
import { createRequest, pendingRecord } from '@countersign/test-support/records/verification';

export const CLIENT = {
  id: 'client-1',
  name: 'Client',
  createdAt: new Date('2026-03-10T12:00:00Z'),
  returnAddresses: [],
  testOf: null,
  fileAccess: false,
  flowSettings: NEW_FLOW_SETTINGS,
  reasonTemplates: NO_TEMPLATES,
};

/** Returns the `n`th creation of the client. Its ids and its subject contain the number. */
export function aCreateRequest(n: number, { allowance = 1_000_000 }: { allowance?: number } = {}): CreateRequest {
  const record = pendingRecord({
    clientId: CLIENT.id,
    id: `verification-${n}`,
    subjectReference: `subject-${n}`,
    metadata: { order: n },
  });
  return createRequest(record, { allowance, eventId: `event-${n}` });
}
