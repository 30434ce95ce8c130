import type { VerificationEvent } from '@countersign/domain';
import {
  type RetainedVerification,
  retainedVerification,
  type VerificationRecord,
} from '@countersign/domain/storage';
import type { Tables } from '../tables.ts';

/** Makes what retention reads of a record. */
export function retainedOf(tables: Pick<Tables, 'events'>, record: VerificationRecord): RetainedVerification {
  const types = eventsOf(tables, record).map(({ type }) => type);
  return structuredClone(retainedVerification(record, types));
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
