import type { ApiKey } from '@countersign/domain';
import { type Client, NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import type { CreateRequest } from '@countersign/domain/storage';
import { createRequest, pendingRecord } from '@countersign/test-support/records/verification';

const AT = new Date('2026-03-10T12:00:00Z');

const uuid = (kind: string, n: number): string =>
  `${kind.repeat(8)}-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const verificationId = (n: number): string => uuid('a', n);
export const keyHash = (n: number): string => n.toString(16).padStart(64, '0');

export const CLIENT: Client = {
  id: uuid('c', 1),
  name: 'Client',
  createdAt: AT,
  returnAddresses: [],
  testOf: null,
  fileAccess: false,
  flowSettings: NEW_FLOW_SETTINGS,
  reasonTemplates: NO_TEMPLATES,
};

export function aClient(n: number): Client {
  return { ...CLIENT, id: uuid('c', n) };
}

export function aKey(n: number, client: Client = CLIENT): ApiKey {
  return {
    id: uuid('b', n),
    clientId: client.id,
    name: '',
    hash: keyHash(n),
    display: 'csk_0000…0000',
    permissions: ['*'],
    networks: [],
    createdAt: AT,
    createdBy: null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    noticedDays: null,
  };
}

/** Returns the `n`th creation. Its ids and its subject contain the number. */
export function aCreateRequest(
  n: number,
  { allowance = 1_000_000, client = CLIENT }: { allowance?: number; client?: Client } = {},
): CreateRequest {
  const record = pendingRecord({
    clientId: client.id,
    id: verificationId(n),
    subjectReference: `subject-${n}`,
    metadata: { order: n },
  });
  return createRequest(record, { allowance, eventId: uuid('e', n) });
}
