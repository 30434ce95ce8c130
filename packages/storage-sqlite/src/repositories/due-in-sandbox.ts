import type { VerificationRepository } from '@countersign/domain';
import type { Session } from '../connection/session.ts';
import { and, asc, eq, getTableColumns, isNotNull, isNull, sql } from '../drizzle.ts';
import { listedVerification } from '../rows/verification-row.ts';
import { oneOf } from '../schema/constraints.ts';
import { clients, verifications } from '../schema/index.ts';
import { DRIVEN_STATUSES } from '../schema/verifications.ts';

/** The cross join keeps SQLite from beginning with the clients: what is due is read in the order of its own index. */
export function createDueInSandbox({ db, read }: Session): VerificationRepository['dueInSandbox'] {
  const due = db
    .select(getTableColumns(verifications))
    .from(verifications)
    .crossJoin(clients)
    .where(
      and(
        isNotNull(verifications.sandboxOutcome),
        oneOf(verifications.status, DRIVEN_STATUSES),
        isNull(verifications.claimedBy),
        eq(clients.id, verifications.clientId),
        eq(clients.sandbox, 1),
      ),
    )
    .orderBy(asc(verifications.requestedAt), asc(verifications.id))
    .limit(sql.placeholder('limit'))
    .prepare();

  return (limit) => read(() => due.values({ limit }).map(listedVerification));
}
