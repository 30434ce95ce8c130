import { type AuditEntry, DATA_ERASED_ACTION } from '../audit/audit-entry.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ErasureFault } from '../audit/verify-audit.ts';
import { canonicalJson } from '../input/json.ts';
import type { Clock, Secrets } from '../runtime.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import { auditDetailOf, type Erasure } from './erasure.ts';
import { createNumberSet } from './number-set.ts';
import { hashOfNothing, hashOfRemains } from './remains.ts';
import type { Remains, RetentionRepository } from './retention-repository.ts';

/** The result of a check of the receipts. */
export type ErasureFindings =
  | { readonly outcome: 'intact'; readonly erasures: number }
  /** The newest line without its receipt; if each line has one, the first receipt that is wrong. */
  | { readonly outcome: 'broken'; readonly number: number; readonly reason: ErasureFault };

/**
 * Compares the receipts of erasures with the audit log in both directions, and with what is stored of their verifications. Reads
 * lines and receipts in slices.
 */
export type VerifyErasures = () => Promise<ErasureFindings>;

/** Receipts and lines that are read at once. */
const BATCH = 100;

const EVERY_LINE = { actorId: undefined, clientId: undefined, outcome: undefined, limit: BATCH };

/** How long an erasure may wait for its files. The job tries again after an hour, such as after a backup that kept them. */
const UNFINISHED_MS = 2 * 60 * 60 * 1000;

export function createVerifyErasures(ports: {
  retention: Pick<RetentionRepository, 'erasure' | 'erasures' | 'remainsOf'>;
  /** Not sealed: compares what is stored. */
  verifications: Pick<VerificationRepository, 'findWithEventsForAnyClient'>;
  audit: Pick<AuditLog, 'list'>;
  secrets: Pick<Secrets, 'sha256'>;
  clock: Clock;
}): VerifyErasures {
  const { retention, verifications, audit, secrets, clock } = ports;

  /** Lists the lines of erasures after a sequence, newest first, in slices. */
  async function* linesAfter(sequence: number): AsyncGenerator<readonly AuditEntry[]> {
    let before: number | undefined;
    for (;;) {
      const lines = await audit.list({ ...EVERY_LINE, action: DATA_ERASED_ACTION, before });
      yield lines.filter((line) => line.sequence > sequence);
      before = lines.at(-1)?.sequence;
      if (before === undefined || before <= sequence || lines.length < BATCH) return;
    }
  }

  async function whatIsWrongWithLine(line: AuditEntry): Promise<ErasureFault | null> {
    const erasure = await retention.erasure(numberOf(line));
    if (erasure === null) return 'no_receipt';
    return isLineOf(line, erasure) ? null : 'changed';
  }

  /** Whether the data of the row and of each event is empty as it is stored: `remainsOf` does not read it. */
  async function isEmptied({ verification, events }: Remains): Promise<boolean> {
    const found = await verifications.findWithEventsForAnyClient(verification.id, events.length);
    if (found === null || found.record.dataKey !== null) return false;
    const { metadata, answers, reviewData } = found.record;
    return [metadata, answers, reviewData, ...found.events.map(({ data }) => data)].every(
      (document) => canonicalJson(document) === '{}',
    );
  }

  async function whatIsWrongWith(erasure: Erasure, hasLine: () => Promise<boolean>): Promise<ErasureFault | null> {
    const { clientId, verificationId, number, hash, finishedAt } = erasure;
    const remains = await retention.remainsOf({ clientId, verificationId });
    const isLeftHere = remains?.verification.erasureNumber === number;
    if (hash === hashOfNothing(secrets)) return !isLeftHere && isOfNothing(erasure) ? null : 'changed';
    if (!isLeftHere || hashOfRemains(remains, secrets) !== hash || !(await isEmptied(remains))) return 'changed';
    if (finishedAt !== null) return (await hasLine()) ? null : 'no_audit_line';
    const removedAt = remains.events.findLast(({ type }) => type === 'verification.data_erased')?.at;
    const isLate = removedAt === undefined || clock.now().getTime() - removedAt.getTime() > UNFINISHED_MS;
    return isLate ? 'unfinished' : null;
  }

  return async () => {
    const withLine = createNumberSet();
    let newest = 0;
    const readLines = async (): Promise<ErasureFindings | null> => {
      const after = newest;
      for await (const lines of linesAfter(after)) {
        const wrong = await Promise.all(lines.map(whatIsWrongWithLine));
        for (const [index, line] of lines.entries()) {
          const [number, reason] = [numberOf(line), wrong[index] ?? null];
          if (reason !== null) return { outcome: 'broken', number, reason };
          withLine.add(number);
          newest = Math.max(newest, line.sequence);
        }
      }
      return null;
    };
    const broken = await readLines();
    if (broken !== null) return broken;
    let [checked, after] = [0, 0];
    for (;;) {
      const erasures = await retention.erasures({ after, limit: BATCH });
      for (const erasure of erasures) {
        const { number } = erasure;
        const reason = await whatIsWrongWith(erasure, async () => {
          // The line may have been written since the log was read.
          return withLine.has(number) || ((await readLines()) === null && withLine.has(number));
        });
        if (reason !== null) return { outcome: 'broken', number, reason };
      }
      checked += erasures.length;
      const last = erasures.at(-1);
      if (last === undefined) return { outcome: 'intact', erasures: checked };
      after = last.number;
    }
  };
}

/** Returns the number of the erasure that a line is about; 0 if it has none. */
function numberOf({ detail: { number } }: AuditEntry): number {
  return Number.isSafeInteger(number) && Number(number) > 0 ? Number(number) : 0;
}

function isLineOf({ clientId, targetId, detail }: AuditEntry, erasure: Erasure): boolean {
  const isSamePlace = clientId === erasure.clientId && targetId === erasure.verificationId;
  return isSamePlace && canonicalJson(detail) === canonicalJson(auditDetailOf(erasure));
}

/** Whether a receipt is one of an entry of the erasure log that had nothing to remove. */
function isOfNothing({ rule, steps, files, events, finishedAt }: Erasure): boolean {
  return rule === 'log' && finishedAt !== null && steps + files + events === 0;
}
