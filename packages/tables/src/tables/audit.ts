import { AUDIT_ACTOR_KINDS, AUDIT_OUTCOMES, type AuditEntry } from '@countersign/domain';
import { parseAuditAction } from '@countersign/domain/storage';
import { table } from '../table.ts';

/**
 * The audit log. Each entry follows the one before it by number and by hash; the databases refuse a gap, a fork and every change.
 *
 * It has no foreign keys: an entry may name a client that does not exist. Actions are checked when an entry is read, because each version
 * adds some.
 */
export const auditEntries = table<AuditEntry>()({
  name: 'audit_entries',
  called: 'audit entry',
  key: ['sequence'],
  nested: { actor: { parts: { kind: 'actorKind', id: 'actorId' } } },
  columns: {
    sequence: { kind: 'integer', size: 'big' },
    at: { kind: 'moment' },
    actorKind: { kind: 'choice', of: AUDIT_ACTOR_KINDS, checked: true },
    actorId: { kind: 'text', ordered: true, nullable: true },
    from: { kind: 'text', column: 'from_address', nullable: true },
    action: { kind: 'parsed', ordered: true, parse: parseAuditAction },
    outcome: { kind: 'choice', of: AUDIT_OUTCOMES, ordered: true, checked: true },
    clientId: { kind: 'text', ordered: true, nullable: true },
    targetId: { kind: 'text', nullable: true },
    detail: { kind: 'object' },
    /** Zeros for the first entry. */
    previousHash: { kind: 'hash' },
    hash: { kind: 'hash' },
  },
});
