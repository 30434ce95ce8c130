import { DATA_ERASED_ACTION } from '../audit/audit-entry.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Secrets } from '../runtime.ts';
import type { Erasure } from './erasure.ts';
import { hashOfNothing, hashOfRemains } from './remains.ts';
import type { RetentionRepository } from './retention-repository.ts';

/** The result of a check of the receipts. */
export type ErasureFindings =
  | { readonly outcome: 'intact'; readonly erasures: number }
  /** The first receipt that has no line with its hash in the audit log, or whose verification is not what was left. */
  | { readonly outcome: 'broken'; readonly number: number; readonly reason: 'no_audit_line' | 'changed' };

/** Compares each receipt with its line of the audit log and with what is left of its verification. */
export type VerifyErasures = () => Promise<ErasureFindings>;

/** Receipts and lines that are read at once. */
const BATCH = 100;

const EVERY_LINE = { actorId: undefined, clientId: undefined, outcome: undefined, limit: BATCH };

export function createVerifyErasures(ports: {
  retention: Pick<RetentionRepository, 'erasures' | 'remainsOf'>;
  audit: Pick<AuditLog, 'list'>;
  secrets: Pick<Secrets, 'sha256'>;
}): VerifyErasures {
  const { retention, audit, secrets } = ports;
  /** Reads the hashes that the audit log names, by the numbers of their erasures. */
  async function readHashes(): Promise<ReadonlyMap<number, unknown>> {
    const hashes = new Map<number, unknown>();
    let before: number | undefined;
    do {
      const lines = await audit.list({ ...EVERY_LINE, action: DATA_ERASED_ACTION, before });
      for (const { detail } of lines) hashes.set(Number(detail.number), detail.hash);
      before = lines.length < BATCH ? undefined : lines.at(-1)?.sequence;
    } while (before !== undefined);
    return hashes;
  }

  async function isWhatWasLeft({ clientId, verificationId, number, hash }: Erasure): Promise<boolean> {
    const remains = await retention.remainsOf({ clientId, verificationId });
    return remains?.verification.erasureNumber === number && hashOfRemains(remains, secrets) === hash;
  }

  return async () => {
    const nothing = hashOfNothing(secrets);
    let hashes = await readHashes();
    const isInLog = async ({ number, hash }: Erasure): Promise<boolean> => {
      if (hashes.get(number) === hash) return true;
      // It may have been written since the log was read.
      hashes = await readHashes();
      return hashes.get(number) === hash;
    };
    let [checked, after] = [0, 0];
    for (;;) {
      const erasures = await retention.erasures({ after, limit: BATCH });
      for (const erasure of erasures) {
        const { number, hash, finishedAt } = erasure;
        // An entry of the erasure log that had nothing to remove.
        if (hash === nothing) continue;
        if (!(await isWhatWasLeft(erasure))) return { outcome: 'broken', number, reason: 'changed' };
        if (finishedAt !== null && !(await isInLog(erasure)))
          return { outcome: 'broken', number, reason: 'no_audit_line' };
      }
      checked += erasures.length;
      const last = erasures.at(-1);
      if (last === undefined) return { outcome: 'intact', erasures: checked };
      after = last.number;
    }
  };
}
