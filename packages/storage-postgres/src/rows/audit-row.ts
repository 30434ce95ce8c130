import { AUDIT_OUTCOMES, type AuditEntry, type AuditHead, parseAuditAction } from '@countersign/domain';
import type { Value } from '../connection/statement.ts';
import { AUDIT_ACTOR_KINDS, type auditEntries } from '../schema/audit-entries.ts';
import {
  momentText,
  parseDate,
  parseEnum,
  parseInteger,
  parseJsonObject,
  parseRow,
  parseText,
  parseTextOrNull,
  type Row,
} from './parse-row.ts';

type Columns = { [K in keyof typeof auditEntries.$inferSelect]: Value };

export function toAuditRow({ actor, at, detail, ...entry }: AuditEntry): Columns {
  return {
    ...entry,
    at: momentText(at),
    actorKind: actor.kind,
    actorId: actor.id,
    detail: JSON.stringify(detail),
    previousSequence: entry.sequence === 1 ? null : entry.sequence - 1,
    previousHash: `\\x${entry.previousHash}`,
    hash: `\\x${entry.hash}`,
  };
}

/** Columns in the order of the schema; the number of the line before is not read. */
export function fromAuditRow(row: Row): AuditEntry {
  return parseRow('line of the audit log', row[0], () => ({
    sequence: sequenceOf(row[0]),
    at: parseDate('at', row[1]),
    actor: { kind: parseEnum('actor_kind', AUDIT_ACTOR_KINDS, row[2]), id: parseTextOrNull('actor_id', row[3]) },
    from: parseTextOrNull('from_address', row[4]),
    action: parseAuditAction(row[5]),
    outcome: parseEnum('outcome', AUDIT_OUTCOMES, row[6]),
    clientId: parseTextOrNull('client_id', row[7]),
    targetId: parseTextOrNull('target_id', row[8]),
    detail: parseJsonObject('detail', row[9]),
    previousHash: parseText('previous_hash', row[11]),
    hash: parseText('hash', row[12]),
  }));
}

/** From the two columns that it is made of. */
export function fromAuditHeadRow(row: Row): AuditHead {
  return parseRow('line of the audit log', row[0], () => ({
    sequence: sequenceOf(row[0]),
    hash: parseText('hash', row[1]),
  }));
}

/** A bigint comes as text. */
function sequenceOf(value: unknown): number {
  return parseInteger('sequence', Number(value));
}
