import { randomBytes } from 'node:crypto';
import { type Storage, verifyAuditTail } from '@countersign/domain/storage';
import { createNodeSecrets } from '@countersign/runtime';
import { brokenText } from '../database/audit-texts.ts';
import type { Findings } from '../database/findings.ts';
import { type NotedCheck, readNotedCheck } from '../database/noted-check.ts';

/** What `doctor` finds in the audit log. */
export interface AuditFacts {
  /** Number of the last entry. */
  readonly entries: number;
  /** Entries at its end whose hashes were recomputed. */
  readonly checked: number;
  /** The last `audit verify --noted` with this data directory; null if there was none. */
  readonly lastNotedCheck: NotedCheck | null;
}

/** About 10 ms. */
const TAIL = 1_000;

/** Checks the end of the audit log, and when the whole log was last compared with a noted head. */
export async function examineAuditLog(
  { audit }: Pick<Storage, 'audit'>,
  { dataDir }: { readonly dataDir: string },
): Promise<Findings<AuditFacts | null>> {
  const lastNotedCheck = await readNotedCheck(dataDir);
  const secrets = createNodeSecrets([randomBytes(32)]);
  const tail = await verifyAuditTail({ audit, secrets }, TAIL);
  const noted = notedLine(lastNotedCheck);
  const notedProblems =
    lastNotedCheck === null || lastNotedCheck.outcome === 'intact'
      ? []
      : [`${noted}: find out who changed the audit log, then run audit verify --noted again`];
  if (tail.outcome === 'broken') {
    return { facts: null, lines: [noted], problems: [brokenText(tail), ...notedProblems] };
  }
  const { head, checked } = tail;
  const entries = head?.sequence ?? 0;
  const line = `Audit log ${entries} entries, of which the last ${checked} are intact`;
  return { facts: { entries, checked, lastNotedCheck }, lines: [line, noted], problems: notedProblems };
}

function notedLine(check: NotedCheck | null): string {
  if (check === null) {
    return 'The audit log has never been compared with a noted head here: run countersign audit verify, note the head in another place, and give it to --noted the next time';
  }
  return `The audit log was last compared with a noted head ${check.at}: ${check.outcome}`;
}
