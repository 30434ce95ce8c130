import { type ApiKey, MAX_ACTIVE_KEYS, PERMISSIONS } from '@countersign/domain';
import { table } from '../table.ts';

/**
 * The limit of active keys is a constraint: an active key holds one of the slots, each at most once a client. A revoked key has none; an
 * expired one gives its slot back when the next key is issued.
 */
export const apiKeys = table<ApiKey>()({
  name: 'api_keys',
  called: 'API key',
  key: ['clientId', 'id'],
  columns: {
    clientId: { kind: 'id' },
    id: { kind: 'id' },
    name: { kind: 'text' },
    hash: { kind: 'hash' },
    display: { kind: 'text' },
    permissions: { kind: 'choices', of: PERMISSIONS },
    createdAt: { kind: 'moment' },
    expiresAt: { kind: 'moment', nullable: true },
    revokedAt: { kind: 'moment', nullable: true },
    lastUsedAt: { kind: 'moment', nullable: true },
    slot: { kind: 'integer', size: 'small', nullable: true, value: null },
    createdBy: { kind: 'text', nullable: true },
    noticedDays: { kind: 'integer', size: 'small', nullable: true },
    /** Null if the key works from everywhere. */
    networks: { kind: 'texts', emptyAsNull: true },
  },
  checks: {
    api_keys_slot_in_range: `{slot} between 1 and ${MAX_ACTIVE_KEYS}`,
    api_keys_revoked_without_slot: '{revokedAt} is null or {slot} is null',
  },
});
