import type { Status } from '@countersign/domain';
import { activityFrom, LATER_STATUS_EVENT_TYPES, reviewActivityOf } from '@countersign/domain/storage';
import { compileRows, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { oneOf, sql } from '../drizzle.ts';
import { parseDate, parseDateOrNull } from '../rows/parse-row.ts';
import { verificationEvents, verifications } from '../schema.ts';
import type { LongRead } from './long-read-kinds.ts';

interface Row {
  readonly status: Status;
  readonly submittedAt: number;
  readonly resolvedAt: number | null;
  readonly isRejectedByReview: number;
}

/**
 * Creates a function that reads the review of a client: two ranges of an index, without rows. So many decisions take a
 * while, so it runs apart.
 */
export function createReviewActivity({ connection }: Pick<Session, 'connection'>): LongRead<'reviewActivity'> {
  const { id, clientId, status, submittedAt, resolvedAt } = verifications;
  const ofClient = sql`${clientId} = ${parameter('clientId')} and ${submittedAt} is not null`;
  // The types are those of the partial index.
  const isRejectedByReview = sql`${status} = 'rejected' and exists (
    select 1 from ${verificationEvents} where ${verificationEvents.verificationId} = ${id}
      and ${oneOf(verificationEvents.type, LATER_STATUS_EVENT_TYPES)}
      and ${verificationEvents.type} = 'verification.rejected')`;
  const reviewed = compileRows<Row>(
    connection,
    sql`select ${status} as "status", ${submittedAt} as "submittedAt", ${resolvedAt} as "resolvedAt",
        ${isRejectedByReview} as "isRejectedByReview"
      from ${verifications} where ${ofClient} and ${resolvedAt} >= ${parameter('from')}
      union all
      select ${status}, ${submittedAt}, ${resolvedAt}, 0 from ${verifications} where ${ofClient} and ${resolvedAt} is null`,
  );

  return ({ clientId, ...days }) => {
    const rows = reviewed.all({ clientId, from: activityFrom(days).getTime() });
    return reviewActivityOf(rows.map(fromRow), days);
  };
}

function fromRow({ status, submittedAt, resolvedAt, isRejectedByReview }: Row) {
  return {
    status,
    submittedAt: parseDate('submitted_at', submittedAt),
    resolvedAt: parseDateOrNull('resolved_at', resolvedAt),
    isRejectedByReview: isRejectedByReview === 1,
  };
}
