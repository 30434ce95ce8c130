import { isCountersignError } from '../errors.ts';
import type { Secrets } from '../runtime.ts';
import { hashOf, NO_PREVIOUS_HASH } from './audit-chain.ts';
import type { AuditEntry } from './audit-entry.ts';
import type { AuditHead, AuditLog } from './audit-log.ts';

/** The result of a check of the chain. */
export type AuditFindings =
  | { readonly outcome: 'intact'; readonly entries: number; readonly head: AuditHead | null }
  /** The first entry that does not follow the one before it, has a wrong hash or cannot be read. */
  | {
      readonly outcome: 'broken';
      readonly sequence: number;
      readonly reason: 'gap' | 'wrong_hash' | 'wrong_previous_hash' | 'unreadable';
    }
  /** The chain is intact, but not an erasure. */
  | { readonly outcome: 'erasure_broken'; readonly number: number; readonly reason: ErasureFault }
  /** The chain is intact but does not contain the entry noted earlier: its end was cut off, or it was rewritten. */
  | { readonly outcome: 'not_the_noted_one'; readonly noted: AuditHead };

/**
 * Reads the whole log and recomputes every hash, then compares the receipts of erasures with it. The chain proves that no entry in its middle was changed. Only an entry
 * noted elsewhere (`noted`) proves that the end is still there and that the log was not rewritten.
 */
export type VerifyAudit = (options?: {
  readonly noted?: AuditHead | undefined;
  readonly onProgress?: ((entries: number) => void) | undefined;
}) => Promise<AuditFindings>;

/** Entries that are read and checked in one go: about a millisecond. */
const BATCH = 100;

/**
 * What can be wrong with an erasure: its receipt or its entry in the audit log is missing, the receipt differs from its entry or from
 * what is stored of the verification, or the store of files has not confirmed for hours that no file is left.
 */
export type ErasureFault = 'no_receipt' | 'no_audit_entry' | 'changed' | 'unfinished';

/** The result of comparing the receipts of erasures with the log. */
type ErasureCheck =
  | { readonly outcome: 'intact' }
  | { readonly outcome: 'broken'; readonly number: number; readonly reason: ErasureFault };

export function createVerifyAudit(ports: {
  audit: AuditLog;
  secrets: Secrets;
  verifyErasures: () => Promise<ErasureCheck>;
}): VerifyAudit {
  const { audit, secrets, verifyErasures } = ports;

  /** Reads entries; null if one of them cannot be parsed. */
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
    let missing = noted;
    let batch = BATCH;
    // An entry before the first is not part of the chain, but lists would show it.
    const earliest = (await readAfter(Number.MIN_SAFE_INTEGER, 1))?.[0];
    if (earliest !== undefined && earliest.sequence < 1) return broken(earliest.sequence, 'gap');
    for (;;) {
      const after: number = head?.sequence ?? 0;
      const entries = await readAfter(after, batch);
      if (entries === null) {
        if (batch === 1) return broken(after + 1, 'unreadable');
        // Reads one entry at a time to find the unreadable one.
        batch = 1;
        continue;
      }
      for (const entry of entries) {
        const reason = whatIsWrong(entry, head, secrets);
        if (reason !== null) return broken(entry.sequence, reason);
        if (entry.sequence === missing?.sequence && entry.hash === missing.hash) missing = undefined;
        head = { sequence: entry.sequence, hash: entry.hash };
      }
      if (entries.length === 0) break;
      onProgress?.(after + entries.length);
    }
    if (missing !== undefined) return { outcome: 'not_the_noted_one', noted: missing };
    const erasures = await verifyErasures();
    if (erasures.outcome === 'broken') return { ...erasures, outcome: 'erasure_broken' };
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
