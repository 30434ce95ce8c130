import {
  LATER_STATUS_EVENT_TYPES,
  REVIEW_EVENT_TYPES,
  type VerificationRepository,
} from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, statementOf } from '../connection/statement.ts';
import { oneOf, sql } from '../drizzle.ts';
import { momentText, parseDateOrNull, parseInteger, parseText } from '../rows/parse-row.ts';
import { clients, verificationEvents, verifications } from '../schema.ts';

/** Reads what waits for reviewers and what they decided. The database counts: so many rows would hold up the event loop. */
export function createReviewLoad({ read }: Session): VerificationRepository['reviewLoad'] {
  return async ({ now, decidedFrom }) => {
    const rows = await read(REVIEW_LOAD, { now: momentText(now), decidedFrom: momentText(decidedFrom) });
    const [waiting = 0, waitingSince = null, overdue = 0, overdueSince = null, median = null] = rows[0] ?? [];
    return {
      waiting: parseInteger('waiting', waiting),
      waitingSince: parseDateOrNull('waiting_since', waitingSince),
      overdue: parseInteger('overdue', overdue),
      overdueSince: parseDateOrNull('overdue_since', overdueSince),
      medianMs: median === null ? null : parseInteger('median', Number(median)),
      decisions: rows.flatMap(([, , , , , reviewerId, approved, rejected]) =>
        reviewerId === null
          ? []
          : {
              reviewerId: parseText('reviewer_id', reviewerId),
              approved: parseInteger('approved', approved),
              rejected: parseInteger('rejected', rejected),
            },
      ),
    };
  };
}

const { clientId, id, status, submittedAt, resolvedAt } = verifications;

/** A range of the index for each client in live use. The offset keeps Postgres from reading every verification instead. */
const ofEachClient = (range: SQL): SQL => sql`
  from ${clients} cross join lateral (
    select ${clientId}, ${id}, ${status}, ${submittedAt}, ${resolvedAt} from ${verifications}
    where ${clientId} = ${clients.id} and ${submittedAt} is not null and ${range} offset 0
  ) as found
  where ${clients.testOf} is null`;

/** The reviewer of a decision. The types are those of the partial index. The limit keeps it a look-up for each decision. */
const REVIEWER = sql`
  select ${verificationEvents.actorId} as reviewer_id from ${verificationEvents}
  where ${verificationEvents.clientId} = reviewed.client_id and ${verificationEvents.verificationId} = reviewed.id
    and ${oneOf(verificationEvents.type, LATER_STATUS_EVENT_TYPES)}
    and ${oneOf(verificationEvents.type, REVIEW_EVENT_TYPES)} and ${verificationEvents.actorId} is not null
  limit 1`;

/**
 * The totals stand in each row, and once without a reviewer if there is none. Of an even
 * number, `percentile_disc` is the lower of the two in the middle.
 */
const REVIEW_LOAD: Statement = statementOf(sql`
  with waiting as (
    select count(*)::integer as number, min(submitted_at) as since,
      count(*) filter (where due_at < ${parameter('now')}::timestamptz)::integer as overdue,
      min(due_at) filter (where due_at < ${parameter('now')}::timestamptz) as overdue_since
    from (
      select found.submitted_at, found.submitted_at + make_interval(hours => ${clients.dueHours}) as due_at
      ${ofEachClient(sql`${resolvedAt} is null and ${status} = 'submitted'`)}
    ) as submitted
  ), reviewed as (
    select found.* ${ofEachClient(sql`${resolvedAt} >= ${parameter('decidedFrom')}::timestamptz`)}
  ), decided as materialized (
    select reviewer_id, status, greatest(interval '0', resolved_at - submitted_at) as time
    from reviewed join lateral (${REVIEWER}) as decision on true
  ), medians as (
    select (extract(epoch from percentile_disc(0.5) within group (order by time)) * 1000)::bigint as median from decided
  ), counted as (
    select reviewer_id, count(*) filter (where status = 'approved')::integer as approved,
      count(*) filter (where status = 'rejected')::integer as rejected
    from decided group by reviewer_id
  )
  select waiting.*, medians.median, counted.* from waiting cross join medians left join counted on true`);
