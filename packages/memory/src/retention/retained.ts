import type { VerificationEvent } from '@countersign/domain';
import {
  DECIDING_EVENT_TYPES,
  type DecidingEventType,
  type RetainedVerification,
  type VerificationRecord,
} from '@countersign/domain/storage';
import type { Tables } from '../tables.ts';

/** Makes what retention reads of a record. */
export function retainedOf(tables: Pick<Tables, 'events'>, record: VerificationRecord): RetainedVerification {
  const { metadata: _, answers: __, reviewData: ___, notify: ____, dataKey: _____, ...columns } = record;
  const decidedBy =
    eventsOf(tables, record)
      .map(({ type }) => type)
      .findLast(isDeciding) ?? null;
  return structuredClone({ ...columns, decidedBy });
}

/** Lists the stored events of a verification in the order of their versions: each was written with its version. */
export function eventsOf(
  { events }: Pick<Tables, 'events'>,
  { clientId, id }: Pick<VerificationRecord, 'clientId' | 'id'>,
): VerificationEvent[] {
  return events.flatMap(({ event }) =>
    event.clientId === clientId && event.verificationId === id ? [event] : [],
  );
}

function isDeciding(type: VerificationEvent['type']): type is DecidingEventType {
  return (DECIDING_EVENT_TYPES as readonly VerificationEvent['type'][]).includes(type);
}
