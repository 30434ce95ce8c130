import { type Actor, EVENT_TYPES, STATUSES, type VerificationEvent } from '@countersign/domain';
import type { Value } from '../connection/statement.ts';
import type { verificationEvents } from '../schema/index.ts';
import { jsonObject, known, moment, parseRow, type Row, text, textOrNull, whole } from './parse-row.ts';
import { momentText } from './values.ts';

type Columns = { [K in keyof typeof verificationEvents.$inferSelect]: Value };

const ACTOR_KINDS = Object.keys({
  client: true,
  subject: true,
  reviewer: true,
  operator: true,
  system: true,
} satisfies Record<Actor['kind'], true>) as Actor['kind'][];

/** An event as it enters: due at once, never leased. */
export function toEventRow({ at, actor, data, ...event }: VerificationEvent): Columns {
  return {
    ...event,
    at: momentText(at),
    actorKind: actor.kind,
    actorId: actor.id,
    data: JSON.stringify(data),
    availableAt: momentText(at),
    leaseToken: null,
    attempts: 0,
    deliveredAt: null,
  };
}

/** Columns in the order of the schema. */
export function fromEventRow(row: Row): VerificationEvent {
  return parseRow('event', row[1], () => ({
    clientId: text('client_id', row[0]),
    id: text('id', row[1]),
    verificationId: text('verification_id', row[2]),
    version: whole('version', row[3]),
    type: known('type', EVENT_TYPES, row[4]),
    status: known('status', STATUSES, row[5]),
    at: moment('at', row[6]),
    actor: { kind: known('actor_kind', ACTOR_KINDS, row[7]), id: textOrNull('actor_id', row[8]) },
    data: jsonObject('data', row[9]),
  }));
}

/** How often it was leased. */
export function attemptsOf(row: Row): number {
  return whole('attempts', row[12]);
}
