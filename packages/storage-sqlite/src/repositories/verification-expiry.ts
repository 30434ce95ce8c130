import { SUBJECT_TYPES } from '@countersign/domain';
import { EXPIRING_STATUSES, type VerificationPlace } from '@countersign/domain/storage';
import { compileRows, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { oneOf, sql } from '../drizzle.ts';
import { clients, verifications } from '../schema.ts';
import type { LongRead } from './long-read-kinds.ts';

/**
 * Creates a function that reads what is due for expiry. The cross join makes SQLite begin with the clients, so that each
 * group of one client, status and type is a range of the index, in the order of the result. It tries four ranges for each
 * client, 1 to 20 µs altogether, so it runs apart.
 */
export function createDueForExpiry({ connection }: Pick<Session, 'connection'>): LongRead<'dueForExpiry'> {
  const { clientId, id, status, type, requestedAt, linkExpiresAt } = verifications;
  const due = compileRows<VerificationPlace>(
    connection,
    sql`select ${clientId} as "clientId", ${id} as "verificationId" from ${clients} cross join ${verifications}
      where ${clientId} = ${clients.id} and ${oneOf(status, EXPIRING_STATUSES)} and ${oneOf(type, SUBJECT_TYPES)}
        and ${requestedAt} <= ${parameter('requestedBy')} and ${linkExpiresAt} <= ${parameter('linkEndedBy')}
      order by ${clients.id}, ${status}, ${type}, ${requestedAt}, ${id} limit ${sql.placeholder('limit')}`,
  );

  return ({ linkEndedBy, requestedBy, limit }) =>
    due.all({ linkEndedBy: linkEndedBy.getTime(), requestedBy: requestedBy.getTime(), limit });
}
