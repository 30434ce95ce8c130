import type { Secrets } from '../runtime.ts';
import type { AuditHead, AuditLog } from './audit-log.ts';
import { type ChainFault, readChain, readHead } from './read-chain.ts';

/** The result of a check of the end of the chain. */
export type AuditTailFindings =
  /** `checked` is the number of entries whose hashes were recomputed. */
  | { readonly outcome: 'intact'; readonly checked: number; readonly head: AuditHead | null }
  | ({ readonly outcome: 'broken' } & ChainFault);

/**
 * Recomputes the hashes of the last entries of the audit log, up to its present end. Takes milliseconds in a log of any length. Only
 * `VerifyAudit` checks the whole log.
 * @param count the most entries to check
 */
export async function verifyAuditTail(
  ports: { readonly audit: Pick<AuditLog, 'head' | 'read'>; readonly secrets: Pick<Secrets, 'sha256'> },
  count: number,
): Promise<AuditTailFindings> {
  const end = await ports.audit.head();
  if (end === null) return { outcome: 'intact', checked: 0, head: null };
  const before = Math.max(0, end.sequence - count);
  let start: AuditHead | null = null;
  if (before > 0) {
    start = await readHead(ports.audit, before);
    if (start === null) return { outcome: 'broken', sequence: before, reason: 'unreadable' };
  }
  const chain = readChain(ports, start);
  let head: AuditHead = start ?? { sequence: 0, hash: '' };
  // A log that grows meanwhile has no end.
  while (head.sequence < end.sequence) {
    const { done, value } = await chain.next();
    if (done) return { outcome: 'broken', ...(value ?? { sequence: head.sequence + 1, reason: 'gap' }) };
    head = value.at(-1) ?? head;
  }
  const { sequence, hash } = head;
  return { outcome: 'intact', checked: sequence - before, head: { sequence, hash } };
}
