import { columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { oneOf } from '../schema/columns.ts';
import { clients, verificationEvents, verifications } from '../schema/index.ts';
import { DRIVEN_STATUSES } from '../schema/verifications.ts';

const COLUMNS = columnsOf(verifications);
const OF_CLIENT = sql`${verifications.clientId} = ${parameter('clientId')}`;
const WITH_ID = sql`${verifications.id} = ${parameter('id')}`;

/** The ways to one verification. */
export const BY_ID: Statement = statementOf(
  sql`select ${COLUMNS} from ${verifications} where ${OF_CLIENT} and ${WITH_ID}`,
);
export const BY_ID_ALONE: Statement = statementOf(sql`select ${COLUMNS} from ${verifications} where ${WITH_ID}`);
export const BY_IDEMPOTENCY_KEY: Statement = statementOf(sql`
  select ${COLUMNS} from ${verifications}
  where ${OF_CLIENT} and ${verifications.idempotencyKey} = ${parameter('idempotencyKey')}`);

/** By the day in UTC, whatever the time zone of the session. */
export const BY_DAY: Statement = statementOf(sql`
  select to_char(${verifications.requestedAt} at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) from ${verifications}
  where ${OF_CLIENT} and ${verifications.requestedAt} >= ${parameter('from')}
    and ${verifications.requestedAt} < ${parameter('until')}
  group by day order by day`);

export const DUE_IN_SANDBOX: Statement = statementOf(sql`
  select ${COLUMNS} from ${verifications}
  join ${clients} on ${clients.id} = ${verifications.clientId} and ${clients.sandbox}
  where ${verifications.sandboxOutcome} is not null and ${oneOf(verifications.status, DRIVEN_STATUSES)}
    and ${verifications.claimedBy} is null
  order by ${verifications.requestedAt}, ${verifications.id} limit ${parameter('limit')}`);

const EVENT_COLUMNS = sql.join(
  [
    verificationEvents.clientId,
    verificationEvents.id,
    verificationEvents.verificationId,
    verificationEvents.version,
    verificationEvents.type,
    verificationEvents.status,
    // As a column of its own would come; JSON has another form for it.
    sql`${verificationEvents.at}::text`,
    verificationEvents.actorKind,
    verificationEvents.actorId,
    verificationEvents.data,
  ].map((column) => sql`${column}`),
  sql`, `,
);

/** A verification and, as one column after its own, a JSON array of its events: one statement sees one moment. */
const WITH_THEIR_EVENTS = sql`
  select ${COLUMNS}, (
    select coalesce(
      json_agg(json_build_array(${EVENT_COLUMNS}) order by ${verificationEvents.version}, ${verificationEvents.id}),
      '[]'
    )
    from ${verificationEvents}
    where ${verificationEvents.clientId} = ${verifications.clientId}
      and ${verificationEvents.verificationId} = ${verifications.id}
  ) from ${verifications}`;

export const WITH_EVENTS: Statement = statementOf(sql`${WITH_THEIR_EVENTS} where ${OF_CLIENT} and ${WITH_ID}`);
export const WITH_EVENTS_BY_ID_ALONE: Statement = statementOf(sql`${WITH_THEIR_EVENTS} where ${WITH_ID}`);
