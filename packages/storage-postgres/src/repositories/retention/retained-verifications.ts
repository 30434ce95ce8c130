import {
  DECIDING_EVENT_TYPES,
  parseRow,
  type RetainedVerification,
  type RetentionRepository,
} from '@countersign/domain/storage';
import { list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../../connection/session.ts';
import { columnsOf, parameter, statementOf, type Value } from '../../connection/statement.ts';
import { oneOf, sql } from '../../drizzle.ts';
import { areIds, momentText, momentTextOrNull, parseJsonArray, type Row } from '../../rows/parse-row.ts';
import { verificationEvents, verifications } from '../../schema.ts';
import { eventRows } from '../../tables/rows.ts';
import { appendEvents, EVENTS, valuesOfEvents, withEvents } from '../verification-events.ts';
import { fromRetainedRow } from './retained-rows.ts';

type Operations = Pick<
  RetentionRepository,
  'find' | 'storedTraces' | 'due' | 'uploadsDue' | 'unfinished' | 'schedule' | 'change'
>;

const NULL = sql`null`;

/** Reads the type of the deciding event from the index of the history. Documents and data keys are not read. */
const RETAINED: SQL = sql`
  ${columnsOf(verifications, {
    metadata: NULL,
    answers: NULL,
    reviewData: NULL,
    notify: NULL,
    warnings: NULL,
    dataKeyWrappedBy: NULL,
    dataKey: NULL,
  })}, (
    select ${verificationEvents.type} from ${verificationEvents}
    where ${verificationEvents.clientId} = ${verifications.clientId}
      and ${verificationEvents.verificationId} = ${verifications.id}
      and ${oneOf(verificationEvents.type, DECIDING_EVENT_TYPES)}
    order by ${verificationEvents.version} desc limit 1
  )`;

export const THE_VERIFICATION: SQL = sql`
  ${verifications.clientId} = ${parameter('clientId')} and ${verifications.id} = ${parameter('verificationId')}`;

const FIND = statementOf(sql`select ${RETAINED} from ${verifications} where ${THE_VERIFICATION}`);
const TRACES = statementOf(sql`${withEvents(RETAINED, EVENTS, sql`'{}'::json`)} where ${THE_VERIFICATION}`);

/**
 * Up to the limit of each kind from its index: those whose time has come, and those that a server of version 0.2.0 decided beside
 * this one. It does not know the column, so their time is null although nothing holds them. They come last. Without statistics, the
 * planner takes a range with two ends for a small one, and so reads it from the index.
 */
const DUE = statementOf(sql`
  select * from (
    (
      select ${RETAINED} from ${verifications}
      where ${verifications.retentionCheckAt} between '-infinity' and ${parameter('now')}
      order by ${verifications.retentionCheckAt}, ${verifications.id} limit ${parameter('limit')}
    ) union all (
      select ${RETAINED} from ${verifications}
      where ${verifications.resolvedAt} is not null and ${verifications.retentionCheckAt} is null
        and ${verifications.heldAt} is null and ${verifications.erasedAt} is null
      order by ${verifications.id} limit ${parameter('limit')}
    )
  ) as due
  order by retention_check_at nulls last, id limit ${parameter('limit')}`);

const UPLOADS_DUE = statementOf(sql`
  select ${RETAINED} from ${verifications}
  where ${verifications.uploadsCheckAt} between '-infinity' and ${parameter('now')}
  order by ${verifications.uploadsCheckAt}, ${verifications.id} limit ${parameter('limit')}`);

const UNFINISHED = statementOf(sql`
  select ${RETAINED} from ${verifications}
  where ${verifications.erasedAt} between '-infinity' and ${parameter('begunBefore')}
    and ${verifications.retentionCheckAt} is not null
  order by ${verifications.erasedAt}, ${verifications.id} limit ${parameter('limit')}`);

const SCHEDULE = statementOf(sql`
  update ${verifications} set retention_check_at = ${parameter('checkAt')}::timestamptz,
    uploads_check_at = ${parameter('uploadsCheckAt')}::timestamptz
  where ${THE_VERIFICATION} and ${verifications.version} = ${parameter('version')}
    and ${verifications.retentionCheckAt} is not distinct from ${parameter('retentionCheckAt')}::timestamptz`);

/** What a change replaces. */
const CHANGED = [
  'status',
  'resolvedAt',
  'claimedBy',
  'claimedAt',
  'sandboxOutcome',
  'relationshipEndedAt',
  'heldAt',
  'heldBy',
  'heldUntil',
  'erasureRequestedAt',
  'erasedAt',
  'retentionCheckAt',
  'uploadsCheckAt',
  'version',
  'eventCount',
] as const satisfies readonly (keyof RetainedVerification)[];

/** As a commit: events are inserted from the updated row. */
const CHANGE = statementOf(sql`
  with changed as (
    update ${verifications} set ${list(CHANGED.map((key) => sql`${sql.identifier(verifications[key].name)} = ${parameter(key)}`))}
    where ${THE_VERIFICATION} and ${verifications.version} = ${parameter('expectedVersion')}
    returning 1
  ), appended as (${appendEvents(sql`changed`)})
  select count(*)::integer from changed`);

/** Creates the operations on verifications that neither read nor write their documents. */
export function createRetainedVerifications({ read, lookUp, write }: Session): Operations {
  return {
    async find({ clientId, verificationId }) {
      const [row] = areIds(clientId, verificationId) ? await lookUp(FIND, { clientId, verificationId }) : [];
      return row === undefined ? null : fromRetainedRow(row);
    },

    async storedTraces({ clientId, verificationId }) {
      const [row] = areIds(clientId, verificationId) ? await read(TRACES, { clientId, verificationId }) : [];
      if (row === undefined) return null;
      const events = parseRow('verification', verificationId, () => parseJsonArray('events', row.at(-1)));
      return {
        verification: fromRetainedRow(row),
        events: events.map((event) => eventRows.fromRow(event as Row)),
      };
    },

    async due({ now, limit }) {
      return (await read(DUE, { now: momentText(now), limit })).map(fromRetainedRow);
    },

    async uploadsDue({ now, limit }) {
      return (await read(UPLOADS_DUE, { now: momentText(now), limit })).map(fromRetainedRow);
    },

    async unfinished({ begunBefore, limit }) {
      return (await read(UNFINISHED, { begunBefore: momentText(begunBefore), limit })).map(fromRetainedRow);
    },

    async schedule({ place, expected, checkAt, uploadsCheckAt = expected.uploadsCheckAt }) {
      const { clientId, verificationId } = place;
      if (!areIds(clientId, verificationId)) return { outcome: 'conflict' };
      const { count } = await write(SCHEDULE, {
        clientId,
        verificationId,
        version: expected.version,
        retentionCheckAt: momentTextOrNull(expected.retentionCheckAt),
        checkAt: momentTextOrNull(checkAt),
        uploadsCheckAt: momentTextOrNull(uploadsCheckAt),
      });
      return { outcome: count === 1 ? 'scheduled' : 'conflict' };
    },

    async change({ verification, expectedVersion, events }) {
      const { clientId, id: verificationId } = verification;
      if (!areIds(clientId, verificationId)) return { outcome: 'conflict' };
      const [row] = await write(CHANGE, {
        clientId,
        verificationId,
        ...changedColumns(verification),
        expectedVersion,
        ...valuesOfEvents(events),
      });
      return { outcome: row?.[0] === 1 ? 'committed' : 'conflict' };
    },
  };
}

function changedColumns(verification: RetainedVerification): Record<string, Value> {
  return Object.fromEntries(
    CHANGED.map((key) => {
      const value = verification[key];
      return [key, value instanceof Date ? momentText(value) : value];
    }),
  );
}
