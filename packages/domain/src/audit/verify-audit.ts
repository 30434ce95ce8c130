import { isCountersignError } from '../errors.ts';
import type { Secrets } from '../runtime/secrets.ts';
import { hashOf, NO_PREVIOUS_HASH } from './audit-chain.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditHead, AuditLog } from './audit-log.ts';

/** What became of the chain. */
export type AuditFindings =
  | { readonly outcome: 'intact'; readonly entries: number; readonly head: AuditHead | null }
  /** The first line that does not follow the one before it, whose hash is not that of its content, or that is none any more. */
  | {
      readonly outcome: 'broken';
      readonly sequence: number;
      readonly reason: 'gap' | 'wrong_hash' | 'wrong_previous_hash' | 'unreadable';
    }
  /** The chain is whole, but the line that was noted down earlier is not in it: it was cut off, or written anew. */
  | { readonly outcome: 'not_the_noted_one'; readonly noted: AuditHead };

/**
 * Reads the whole log and computes every hash again. A chain shows that nothing in its middle was changed; that its end
 * is still there, or that all of it was not written anew, shows only a line noted down elsewhere (`noted`).
 */
export type VerifyAudit = (options?: {
  readonly noted?: AuditHead | undefined;
  readonly onProgress?: ((entries: number) => void) | undefined;
}) => Promise<AuditFindings>;

/** Lines that are in memory at once. */
const BATCH = 500;

export function createVerifyAudit({ audit, secrets }: { audit: AuditLog; secrets: Secrets }): VerifyAudit {
  /** Null where one of the lines is not to be read: somebody wrote what no line can be. */
  async function readAfter(sequence: number, limit: number): Promise<readonly AuditEntry[] | null> {
    try {
      return await audit.read(sequence, limit);
    } catch (fault) {
      if (isCountersignError(fault)) throw fault;
      return null;
    }
  }

  return async ({ noted, onProgress } = {}) => {
    let head: AuditHead | null = null;
    let isNotedThere = noted === undefined;
    let batch = BATCH;
    // A line before the first is none of the chain, and would yet be shown.
    const [earliest] = (await readAfter(Number.MIN_SAFE_INTEGER, 1)) ?? [];
    if (earliest !== undefined && earliest.sequence < 1) return broken(earliest.sequence, 'gap');
    for (;;) {
      const after: number = head?.sequence ?? 0;
      const entries = await readAfter(after, batch);
      if (entries === null) {
        if (batch === 1) return broken(after + 1, 'unreadable');
        // One by one, up to the one that it is.
        batch = 1;
        continue;
      }
      for (const entry of entries) {
        const reason = whatIsWrong(entry, head, secrets);
        if (reason !== null) return broken(entry.sequence, reason);
        if (entry.sequence === noted?.sequence) isNotedThere = entry.hash === noted.hash;
        head = { sequence: entry.sequence, hash: entry.hash };
      }
      if (entries.length === 0) break;
      onProgress?.(head?.sequence ?? 0);
    }
    if (noted !== undefined && !isNotedThere) return { outcome: 'not_the_noted_one', noted };
    return { outcome: 'intact', entries: head?.sequence ?? 0, head };
  };
}

type Reason = Extract<AuditFindings, { outcome: 'broken' }>['reason'];

function broken(sequence: number, reason: Reason): AuditFindings {
  return { outcome: 'broken', sequence, reason };
}

function whatIsWrong(entry: AuditEntry, before: AuditHead | null, secrets: Secrets): Reason | null {
  if (entry.sequence !== (before?.sequence ?? 0) + 1) return 'gap';
  if (entry.previousHash !== (before?.hash ?? NO_PREVIOUS_HASH)) return 'wrong_previous_hash';
  if (Number.isNaN(entry.at.getTime())) return 'unreadable';
  return entry.hash === hashOf(entry, secrets) ? null : 'wrong_hash';
}
