import { type Actor, EVENT_TYPES, STATUSES, type VerificationEvent } from '@countersign/domain';
import type { verificationEvents } from '../schema/index.ts';
import { jsonObject, known, moment, parseRow } from './parse-row.ts';

type Row = typeof verificationEvents.$inferSelect;

const ACTOR_KINDS = Object.keys({
  client: true,
  subject: true,
  reviewer: true,
  operator: true,
  system: true,
} satisfies Record<Actor['kind'], true>) as Actor['kind'][];

/** An event as it enters: due at once, never leased. */
export function toEventRow({ at, actor, data, ...event }: VerificationEvent): Row {
  return {
    ...event,
    at: at.getTime(),
    actorKind: actor.kind,
    actorId: actor.id,
    data: JSON.stringify(data),
    availableAt: at.getTime(),
    leaseToken: null,
    attempts: 0,
    deliveredAt: null,
  };
}

export function fromEventRow(row: Row): VerificationEvent {
  return parseRow('event', row.id, () => ({
    id: row.id,
    clientId: row.clientId,
    verificationId: row.verificationId,
    version: row.version,
    type: known('type', EVENT_TYPES, row.type),
    status: known('status', STATUSES, row.status),
    at: moment('at', row.at),
    actor: { kind: known('actor_kind', ACTOR_KINDS, row.actorKind), id: row.actorId },
    data: jsonObject('data', row.data),
  }));
}
