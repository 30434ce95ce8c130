import type { VerificationEvent } from '@countersign/domain';
import { list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { insertFromJson, rowsFromJson } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { verificationEvents, verifications } from '../schema.ts';
import { eventJson } from '../tables/rows.ts';

const events = verificationEvents;

/** The events of the row of `verifications`. */
export const EVENTS: SQL = sql`
  select * from ${events}
  where ${events.clientId} = ${verifications.clientId} and ${events.verificationId} = ${verifications.id}`;

/**
 * Selects columns of verifications and, as one more column, a JSON array of some events of each, so that one statement reads
 * both at one moment.
 * @param data what to read as the `data` of each event
 */
export function withEvents(columns: SQL, some: SQL, data: SQL = sql`${events.data}`): SQL {
  const ofEvent = [
    events.clientId,
    events.id,
    events.verificationId,
    events.version,
    events.type,
    events.status,
    // In the form of a timestamp column; JSON has another.
    sql`${events.at}::text`,
    events.actorKind,
    events.actorId,
    data,
  ];
  const row = sql`json_build_array(${list(ofEvent)})`;
  return sql`
    select ${columns}, (
      select coalesce(json_agg(${row} order by ${events.version}, ${events.id}), '[]') from (${some}) ${events}
    ) from ${verifications}`;
}

/** Inserts the events of the parameter `event` for each row of `changed`, which is the changed verification or none. */
export function appendEvents(changed: SQL): SQL {
  return insertFromJson(events, 'event', sql`${changed}, ${rowsFromJson(events, 'event')}`);
}

/** The value of the parameter of `appendEvents`. */
export function valuesOfEvents(appended: readonly VerificationEvent[]): { readonly event: string } {
  return { event: JSON.stringify(appended.map((event) => eventJson.toRow(event))) };
}
