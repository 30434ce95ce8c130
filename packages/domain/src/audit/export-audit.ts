import type { Secrets } from '../runtime.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditHead, AuditLog } from './audit-log.ts';
import { type ChainFault, readChain, readHead } from './read-chain.ts';

/** An entry that an earlier export ended with. */
export interface ExportedTo {
  readonly sequence: number;
  /** Its hash, which proves that the log is still the same; without it, only later entries are checked. */
  readonly hash?: string | undefined;
}

/** How an export ended. */
export type AuditExportEnd =
  /** All entries are exported. `head` is null if the log is empty. */
  | { readonly outcome: 'complete'; readonly head: AuditHead | null }
  /** Every entry before this one is exported. */
  | ({ readonly outcome: 'broken' } & ChainFault)
  /** The log has no entry with this sequence, or another hash at it. Nothing is exported. */
  | { readonly outcome: 'not_continued'; readonly after: ExportedTo };

/**
 * Reads the log in batches, in the order of the chain, from the entry after `after` on; default: from the first. Checks the chain like
 * `VerifyAudit` while it reads, and ends before the first entry that is wrong.
 */
export type ExportAudit = (options?: {
  readonly after?: ExportedTo | undefined;
}) => AsyncGenerator<readonly AuditEntry[], AuditExportEnd>;

export function createExportAudit(ports: {
  readonly audit: Pick<AuditLog, 'read'>;
  readonly secrets: Pick<Secrets, 'sha256'>;
}): ExportAudit {
  const { audit } = ports;

  /** Finds the entry to continue after; null if the log has another one or none. */
  async function found({ sequence, hash }: ExportedTo): Promise<AuditHead | null> {
    const head = await readHead(audit, sequence);
    return hash === undefined || hash === head?.hash ? head : null;
  }

  return async function* exportAudit({ after } = {}) {
    let head: AuditHead | null = null;
    if (after !== undefined && after.sequence > 0) {
      head = await found(after);
      if (head === null) return { outcome: 'not_continued', after };
    }
    const chain = readChain(ports, head);
    for (;;) {
      const { done, value } = await chain.next();
      if (done) return value === null ? { outcome: 'complete', head } : { outcome: 'broken', ...value };
      const last = value.at(-1);
      if (last !== undefined) head = { sequence: last.sequence, hash: last.hash };
      yield value;
    }
  };
}
