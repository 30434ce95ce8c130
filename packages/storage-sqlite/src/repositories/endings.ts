import {
  ENDING_EVENT_TYPES,
  endingsOf,
  LATER_STATUS_EVENT_TYPES,
  type VerificationRepository,
} from '@countersign/domain/storage';
import { compile, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { oneOf, sql } from '../drizzle.ts';
import { verificationEvents } from '../schema.ts';

const { verificationId, clientId, type } = verificationEvents;

/** Creates `findEndings`: a look-up for each verification. The later types are those of the partial index. */
export function createFindEndings({ connection, read }: Session): VerificationRepository['findEndings'] {
  const endings = compile(
    connection,
    sql`select ${verificationId}, ${type} from json_each(${parameter('asked')}) as one
      cross join ${verificationEvents}
      where ${verificationId} = one.value ->> 'verificationId' and ${clientId} = one.value ->> 'clientId'
        and ${oneOf(type, LATER_STATUS_EVENT_TYPES)} and ${oneOf(type, ENDING_EVENT_TYPES)}`,
  );
  return (asked) =>
    read(() =>
      endingsOf(endings.all({ asked: JSON.stringify(asked) }).map(([id, type]) => [String(id), String(type)])),
    );
}
