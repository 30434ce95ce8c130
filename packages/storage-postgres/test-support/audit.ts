import type { AuditEntry } from '@countersign/domain';

/** Stands for the hash of the n-th line: zeros before the first. */
export const lineHash = (n: number): string => n.toString(16).padStart(64, '0');

/** The n-th line as it follows the one before it. */
export function aLine(n: number, given: Partial<AuditEntry> = {}): AuditEntry {
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
    previousHash: lineHash(n - 1),
    hash: lineHash(n),
    ...given,
  };
}
