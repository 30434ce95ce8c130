import type { AuditEntry } from '@countersign/domain';

/** Returns a placeholder for the hash of entry `n`; zeros before the first. */
export const entryHash = (n: number): string => n.toString(16).padStart(64, '0');

/** Creates entry `n` of the audit log, which follows entry `n - 1`. */
export function auditEntry(n: number, values: Partial<AuditEntry> = {}): AuditEntry {
  return {
    sequence: n,
    at: new Date(n),
    actor: { kind: 'operator', id: null },
    from: null,
    action: 'clients.create',
    outcome: 'allowed',
    clientId: null,
    targetId: null,
    detail: { n },
    previousHash: entryHash(n - 1),
    hash: entryHash(n),
    ...values,
  };
}
