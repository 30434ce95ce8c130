import {
  decisionsOf,
  LATER_STATUS_EVENT_TYPES,
  REVIEW_EVENT_TYPES,
  type ReviewerDecision,
} from '@countersign/domain/storage';
import { compileRows, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { oneOf, sql } from '../drizzle.ts';
import { parseDate, parseDateOrNull } from '../rows/parse-row.ts';
import { clients, verificationEvents, verifications } from '../schema.ts';
import type { LongRead } from './long-read-kinds.ts';

interface WaitingRow {
  readonly waiting: number;
  readonly waitingSince: number | null;
  readonly overdue: number;
  readonly overdueSince: number | null;
}

interface DecisionRow {
  readonly outcome: ReviewerDecision['outcome'];
  readonly reviewerId: string;
  readonly submittedAt: number;
  readonly resolvedAt: number;
}

const { id, clientId, status, submittedAt, resolvedAt } = verifications;

const HOUR_MS = sql.raw(String(60 * 60 * 1000));

/** The cross join keeps SQLite from beginning with the verifications: each client is a range of their index, without rows. */
const OF_LIVE_CLIENTS = sql`${clients} cross join ${verifications} on ${clientId} = ${clients.id}
  where ${clients.testOf} is null and ${submittedAt} is not null`;

/** Creates a function that reads what waits for reviewers and what they decided. It reads every client, so it runs apart. */
export function createReviewLoad({ connection }: Pick<Session, 'connection'>): LongRead<'reviewLoad'> {
  const dueAt = sql`${submittedAt} + ${clients.dueHours} * ${HOUR_MS}`;
  const isOverdue = sql`${dueAt} < ${parameter('now')}`;
  const waiting = compileRows<WaitingRow>(
    connection,
    sql`select count(*) as "waiting", min(${submittedAt}) as "waitingSince",
        count(*) filter (where ${isOverdue}) as "overdue", min(${dueAt}) filter (where ${isOverdue}) as "overdueSince"
      from ${OF_LIVE_CLIENTS} and ${resolvedAt} is null and ${status} = 'submitted'`,
  );
  // The types are those of the partial index.
  const decided = compileRows<DecisionRow>(
    connection,
    sql`select ${status} as "outcome", ${verificationEvents.actorId} as "reviewerId",
        ${submittedAt} as "submittedAt", ${resolvedAt} as "resolvedAt"
      from ${clients} cross join ${verifications} on ${clientId} = ${clients.id}
        cross join ${verificationEvents} on ${verificationEvents.verificationId} = ${id}
      where ${clients.testOf} is null and ${submittedAt} is not null and ${resolvedAt} >= ${parameter('decidedFrom')}
        and ${oneOf(verificationEvents.type, LATER_STATUS_EVENT_TYPES)}
        and ${oneOf(verificationEvents.type, REVIEW_EVENT_TYPES)} and ${verificationEvents.actorId} is not null`,
  );

  return ({ now, decidedFrom }) => {
    const [row] = waiting.all({ now: now.getTime() });
    const decisions = decided.all({ decidedFrom: decidedFrom.getTime() });
    return {
      waiting: row?.waiting ?? 0,
      waitingSince: parseDateOrNull('submitted_at', row?.waitingSince ?? null),
      overdue: row?.overdue ?? 0,
      overdueSince: parseDateOrNull('due_at', row?.overdueSince ?? null),
      ...decisionsOf(decisions.map(fromRow)),
    };
  };
}

function fromRow({ outcome, reviewerId, submittedAt, resolvedAt }: DecisionRow): ReviewerDecision {
  return {
    outcome,
    reviewerId,
    submittedAt: parseDate('submitted_at', submittedAt),
    resolvedAt: parseDate('resolved_at', resolvedAt),
  };
}
