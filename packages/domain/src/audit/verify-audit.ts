import type { Secrets } from '../runtime.ts';
import type { AuditHead, AuditLog } from './audit-log.ts';
import { type ChainFault, readAfter, readChain } from './read-chain.ts';

/** The result of a check of the chain. */
export type AuditFindings =
  | { readonly outcome: 'intact'; readonly entries: number; readonly head: AuditHead | null }
  | ({ readonly outcome: 'broken' } & ChainFault)
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
  const { audit, verifyErasures } = ports;

  return async ({ noted, onProgress } = {}) => {
    let head: AuditHead | null = null;
    let missing = noted;
    // An entry before the first is not part of the chain, but lists would show it.
    const earliest = (await readAfter(audit, Number.MIN_SAFE_INTEGER, 1))?.[0];
    if (earliest !== undefined && earliest.sequence < 1) {
      return { outcome: 'broken', sequence: earliest.sequence, reason: 'gap' };
    }
    const chain = readChain(ports, null);
    for (;;) {
      const { done, value } = await chain.next();
      if (done) {
        if (value !== null) return { outcome: 'broken', ...value };
        break;
      }
      for (const { sequence, hash } of value) {
        if (sequence === missing?.sequence && hash === missing.hash) missing = undefined;
        head = { sequence, hash };
      }
      onProgress?.(head?.sequence ?? 0);
    }
    if (missing !== undefined) return { outcome: 'not_the_noted_one', noted: missing };
    const erasures = await verifyErasures();
    if (erasures.outcome === 'broken') return { ...erasures, outcome: 'erasure_broken' };
    return { outcome: 'intact', entries: head?.sequence ?? 0, head };
  };
}
