import { AUDIT_OUTCOMES, type AuditEntry, parseAuditAction } from '@countersign/domain';
import { AUDIT_ACTOR_KINDS, type auditEntries } from '../schema/audit-entries.ts';
import { jsonObject, known, moment, parseRow } from './parse-row.ts';

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
    at: moment('at', row.at),
    actor: { kind: known('actor_kind', AUDIT_ACTOR_KINDS, row.actorKind), id: row.actorId },
    from: row.from,
    action: parseAuditAction(row.action),
    outcome: known('outcome', AUDIT_OUTCOMES, row.outcome),
    clientId: row.clientId,
    targetId: row.targetId,
    detail: jsonObject('detail', row.detail),
    previousHash: row.previousHash,
    hash: row.hash,
  }));
}
