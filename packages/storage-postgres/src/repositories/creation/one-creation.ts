import type { CreateOutcome, CreateRequest } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import { unavailable, violatedConstraint } from '../../connection/faults.ts';
import type { Runs } from '../../connection/session.ts';
import {
  columnNames,
  columnParameters,
  insertInto,
  parameter,
  type Statement,
  statementOf,
  type Value,
} from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { usage, verificationEvents, verifications } from '../../schema.ts';
import { eventRows, verificationRows } from '../../tables/rows.ts';
import { queueMails, valuesOfMails } from '../queue-mails.ts';
import { conflictOf } from './creation-conflicts.ts';

/**
 * Inserts the verification first, then its event and its charge from the inserted row. So conflicts between two
 * creations for one subject or with one key are decided before anything is charged, and the usage row is locked for the
 * shortest time.
 */
const createStatement = (queued: SQL): Statement =>
  statementOf(sql`
  with inserted as (
    ${insertInto(verifications)}
    returning ${verifications.clientId}
  ), charged as (
    insert into ${usage} (${columnNames(usage)})
    select client_id, ${parameter('month')}, 1, ${parameter('allowance')}::integer from inserted
    on conflict (client_id, month) do update set used = ${usage}.used + 1, allowance = excluded.allowance
  )${queued}
  insert into ${verificationEvents} (${columnNames(verificationEvents)})
  select ${columnParameters(verificationEvents, 'event.')} from inserted`);

const CREATE_ONE = createStatement(sql``);

/** The same with mails. Most creations have none, and each part of a statement takes time. */
const CREATE_WITH_MAILS = createStatement(sql`, queued as (${queueMails(sql`inserted`)})`);

/** The constraint of the monthly limit. */
export const WITHIN_ALLOWANCE = 'usage_within_allowance';

/** Unique constraints of a creation. Postgres reports only the first violated one, so one may hide another. */
const UNIQUE = ['verifications_pk', 'verifications_one_active', 'verifications_idempotency_key'];

/**
 * Maximum number of attempts: a conflicting row may be gone when it is looked up, and then the creation is tried again.
 */
const ATTEMPTS = 5;

/** Inserts, charges and appends the event in one statement; the constraints decide. */
export async function createOne({ read, write }: Runs, request: CreateRequest): Promise<CreateOutcome> {
  const { record, event, month, allowance, mails = [] } = request;
  const values: Record<string, Value> = {
    ...verificationRows.toRow(record),
    month,
    allowance,
    ...valuesOfMails(mails),
  };
  for (const [key, value] of Object.entries(eventRows.toRow(event))) values[`event.${key}`] = value;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await write(mails.length === 0 ? CREATE_ONE : CREATE_WITH_MAILS, values);
      return { outcome: 'created' };
    } catch (error) {
      const violated = violatedConstraint(error);
      if (violated === WITHIN_ALLOWANCE) return { outcome: 'limit_reached' };
      if (!UNIQUE.includes(violated ?? '')) throw error;
      const conflict = await conflictOf(read, record);
      if (conflict !== null) return conflict;
      if (violated === 'verifications_pk') throw error;
    }
  }
  throw unavailable('The conflicting verification keeps changing');
}
