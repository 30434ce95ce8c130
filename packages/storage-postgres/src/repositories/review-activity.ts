import {
  activityFrom,
  DAY_MS,
  LATER_STATUS_EVENT_TYPES,
  type VerificationRepository,
} from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, statementOf } from '../connection/statement.ts';
import { oneOf, sql } from '../drizzle.ts';
import { areIds, momentText, parseDateOrNull, parseInteger, type Row } from '../rows/parse-row.ts';
import { verificationEvents, verifications } from '../schema.ts';

/** Reads the review of a client. The database counts: so many rows would hold up the event loop. */
export function createReviewActivity({ read }: Session): VerificationRepository['reviewActivity'] {
  return async ({ clientId, days, comparedFrom }) => {
    const moments = {
      days: dayText(days.from),
      until: dayText(days.until),
      from: momentText(activityFrom({ comparedFrom })),
    };
    const rows = areIds(clientId) ? await read(REVIEW_ACTIVITY, { clientId, ...moments }) : [];
    const [, , , , , , median = null, medianBefore = null, waiting = 0, waitingSince = null] = rows[0] ?? [];
    return {
      days: rows.filter(([day]) => day !== null).map(dayFromRow),
      medianMs: median === null ? null : parseInteger('median', Number(median)),
      medianBeforeMs: medianBefore === null ? null : parseInteger('median_before', Number(medianBefore)),
      waiting: parseInteger('waiting', waiting),
      waitingSince: parseDateOrNull('waiting_since', waitingSince),
    };
  };
}

const dayText = (day: number): string => momentText(new Date(day * DAY_MS));

function dayFromRow([day, submitted, queued, approved, rejected, median]: Row) {
  return {
    day: parseInteger('day', day),
    submitted: parseInteger('submitted', submitted),
    queued: parseInteger('queued', queued),
    approved: parseInteger('approved', approved),
    rejected: parseInteger('rejected', rejected),
    medianMs: median === null ? null : parseInteger('median', Number(median)),
  };
}

const { clientId, id, status, submittedAt, resolvedAt } = verifications;

const SUBMITTED = sql`
  select ${id}, ${status}, ${submittedAt}, ${resolvedAt} from ${verifications}
  where ${clientId} = ${parameter('clientId')} and ${submittedAt} is not null`;

/** The types are those of the partial index. The limit keeps it a look-up for each rejected verification. */
const REJECTION = sql`
  select true as is_found from ${verificationEvents}
  where reviewed.status = 'rejected' and ${verificationEvents.clientId} = ${parameter('clientId')}
    and ${verificationEvents.verificationId} = reviewed.id
    and ${oneOf(verificationEvents.type, LATER_STATUS_EVENT_TYPES)}
    and ${verificationEvents.type} = 'verification.rejected'
  limit 1`;

const inDays = (moment: SQL): SQL =>
  sql`${moment} >= ${parameter('days')}::timestamptz and ${moment} < ${parameter('until')}::timestamptz`;

const median = (range: SQL): SQL =>
  sql`(extract(epoch from percentile_disc(0.5) within group (order by time) filter (where ${range})) * 1000)::bigint`;

const dayOf = (moment: SQL): SQL => sql`(${moment} at time zone 'UTC')::date - date '1970-01-01'`;

/**
 * Two ranges of an index, without rows. The totals stand in each row, and once with no day if there is none. Of an even
 * number, `percentile_disc` is the lower of the two in the middle.
 */
const REVIEW_ACTIVITY: Statement = statementOf(sql`
  with reviewed as (
    ${SUBMITTED} and ${resolvedAt} >= ${parameter('from')}::timestamptz
    union all ${SUBMITTED} and ${resolvedAt} is null
  ), judged as materialized (
    select status, submitted_at, resolved_at, status = 'approved' or is_found is true as is_decided,
      greatest(interval '0', resolved_at - submitted_at) as time
    from reviewed left join lateral (${REJECTION}) as rejection on true
  ), decided as (
    select * from judged where is_decided
  ), medians as (
    select ${median(inDays(sql`resolved_at`))} as during,
      ${median(sql`resolved_at < ${parameter('days')}::timestamptz`)} as before
    from decided
  ), waiting as (
    select count(*)::integer as number, min(submitted_at) as since from judged where status = 'submitted'
  ), submissions as (
    select ${dayOf(sql`submitted_at`)} as day, count(*)::integer as submitted,
      count(*) filter (where is_decided or status = 'submitted')::integer as queued
    from judged where ${inDays(sql`submitted_at`)} group by day
  ), decisions as (
    select ${dayOf(sql`resolved_at`)} as day,
      count(*) filter (where status = 'approved')::integer as approved,
      count(*) filter (where status = 'rejected')::integer as rejected, ${median(sql`true`)} as median
    from decided where ${inDays(sql`resolved_at`)} group by day
  ), counted as (
    select day, coalesce(submitted, 0) as submitted, coalesce(queued, 0) as queued,
      coalesce(approved, 0) as approved, coalesce(rejected, 0) as rejected, median
    from submissions full join decisions using (day)
  )
  select counted.*, medians.during, medians.before, waiting.number, waiting.since
  from medians cross join waiting left join counted on true`);
