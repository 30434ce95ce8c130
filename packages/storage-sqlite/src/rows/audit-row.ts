import { AUDIT_OUTCOMES, type AuditEntry, parseAuditAction } from '@countersign/domain';
import { AUDIT_ACTOR_KINDS, type auditEntries } from '../schema/audit-entries.ts';
import { parseDate, parseEnum, parseJsonObject, parseRow } from './parse-row.ts';

type Row = typeof auditEntries.$inferSelect;

export function toAuditRow({ at, actor, detail, ...same }: AuditEntry): Row {
  return {
    ...same,
    at: at.getTime(),
    actorKind: actor.kind,
    actorId: actor.id,
    detail: JSON.stringify(detail),
  };
}

export function fromAuditRow(row: Row): AuditEntry {
  return parseRow('audit line', String(row.sequence), () => ({
    sequence: row.sequence,
    at: parseDate('at', row.at),
    actor: { kind: parseEnum('actor_kind', AUDIT_ACTOR_KINDS, row.actorKind), id: row.actorId },
    from: row.from,
    action: parseAuditAction(row.action),
    outcome: parseEnum('outcome', AUDIT_OUTCOMES, row.outcome),
    clientId: row.clientId,
    targetId: row.targetId,
    detail: parseJsonObject('detail', row.detail),
    previousHash: row.previousHash,
    hash: row.hash,
  }));
}
