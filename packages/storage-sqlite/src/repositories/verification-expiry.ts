import { SUBJECT_TYPES } from '@countersign/domain';
import { EXPIRING_STATUSES } from '@countersign/domain/storage';
import { parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, eq, lte, oneOf, sql } from '../drizzle.ts';
import { clients, verifications } from '../schema.ts';
import type { LongRead } from './long-read-kinds.ts';

/**
 * Creates a function that reads what is due for expiry. The cross join makes SQLite begin with the clients, so that each
 * group of one client, status and type is a range of the index, in the order of the result. It tries four ranges for each
 * client, 1 to 20 µs altogether, so it runs apart.
 */
export function createDueForExpiry({ db }: Pick<Session, 'db'>): LongRead<'dueForExpiry'> {
  const due = prepared(
    db
      .select({ clientId: verifications.clientId, verificationId: verifications.id })
      .from(clients)
      .crossJoin(verifications)
      .where(
        and(
          eq(verifications.clientId, clients.id),
          oneOf(verifications.status, EXPIRING_STATUSES),
          oneOf(verifications.type, SUBJECT_TYPES),
          lte(verifications.requestedAt, parameter('requestedBy')),
          lte(verifications.linkExpiresAt, parameter('linkEndedBy')),
        ),
      )
      .orderBy(
        asc(clients.id),
        asc(verifications.status),
        asc(verifications.type),
        asc(verifications.requestedAt),
        asc(verifications.id),
      )
      .limit(sql.placeholder('limit')),
  );

  return ({ linkEndedBy, requestedBy, limit }) =>
    due.all({ linkEndedBy: linkEndedBy.getTime(), requestedBy: requestedBy.getTime(), limit });
}
