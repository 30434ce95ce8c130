import type { CreateOutcome, CreateRequest, VerificationRepository } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import { isDeadlock, PostgresFault, violatedConstraint } from '../../connection/faults.ts';
import type { Runs, Session } from '../../connection/session.ts';
import {
  columnNames,
  insertFromJson,
  parameter,
  rowsFromJson,
  type Statement,
  statementOf,
} from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { parseInteger, parseJsonArray } from '../../rows/parse-row.ts';
import { mails, usage, verificationEvents, verifications } from '../../schema.ts';
import { eventJson, verificationJson } from '../../tables/rows.ts';
import { valuesOfMails } from '../queue-mails.ts';
import { conflictOf } from './creation-conflicts.ts';
import { createOne, WITHIN_ALLOWANCE } from './one-creation.ts';
import { createQueues, type Entry } from './queues.ts';

/**
 * Creates the verifications for which the month has room even if all creations before them succeed: `positions` are
 * theirs among all. Skips those that conflict with a stored one. Returns the number of those it tried and the ids of
 * those it inserted.
 *
 * The room is only what this statement sees: the constraint decides when other instances charge meanwhile. Rows are
 * inserted in the order of their subjects, so that two instances wait for each other in one order.
 */
const createManyStatement = (queued: SQL): Statement =>
  statementOf(sql`
  with room as (
    select ${parameter('allowance')}::integer - coalesce((
      select ${usage.used} from ${usage}
      where ${usage.clientId} = ${parameter('clientId')} and ${usage.month} = ${parameter('month')}
    ), 0) as size
  ), tried as (
    select * from ${rowsFromJson(verifications, 'verification')} limit (
      select count(*) from room, json_array_elements_text(${parameter('positions')}::json) as position
      where position::integer <= room.size
    )
  ), inserted as (
    ${insertFromJson(verifications, 'tried', sql`tried order by tried."subjectReference"`)}
    on conflict do nothing
    returning ${verifications.id}
  ), charged as (
    insert into ${usage} (${columnNames(usage)})
    select ${parameter('clientId')}::uuid, ${parameter('month')}::text, count(*), ${parameter('allowance')}::integer
    from inserted having count(*) > 0
    on conflict (client_id, month) do update set
      used = ${usage}.used + excluded.used, allowance = excluded.allowance
  ), appended as (
    ${insertFromJson(
      verificationEvents,
      'event',
      sql`inserted join ${rowsFromJson(verificationEvents, 'event')} on event."verificationId" = inserted.id`,
    )}
  )${queued}
  select (select count(*)::integer from tried), (select coalesce(json_agg(id), '[]') from inserted)`);

const CREATE_MANY = createManyStatement(sql``);

/** The same with mails of some of them. */
const CREATE_MANY_WITH_MAILS = createManyStatement(sql`, queued as (
    ${insertFromJson(mails, 'mail', sql`inserted join ${rowsFromJson(mails, 'mail')} on mail."verificationId" = inserted.id`)}
  )`);

/** A creation, and its rows as JSON once it has to wait. */
interface Item {
  readonly request: CreateRequest;
  readonly runs: Runs;
  json: { readonly verification: string; readonly event: string } | null;
}

type Creation = Entry<Item, CreateOutcome>;

export interface ChargedCreation {
  readonly createCharged: VerificationRepository['createCharged'];
  /** Number of creations that wait for others of their client. */
  waiting(): number;
}

/**
 * Creates verifications. Those of one client that would wait for the same usage row become one statement: the first is
 * sent immediately, and those that arrive meanwhile follow together.
 */
export function createChargedCreation({ operation, deadlineMs }: Session): ChargedCreation {
  const queues = createQueues<Item, CreateOutcome>({
    keyOf: ({ request }) => `${request.record.clientId} ${request.month} ${request.allowance}`,
    sizeOf: (item) => jsonOf(item).verification.length + jsonOf(item).event.length,
    run: createAll,
    deadlineMs,
  });
  return {
    createCharged: (request) => operation((runs) => queues.add({ request, runs, json: null })),
    waiting: queues.waiting,
  };
}

function jsonOf(item: Item): { readonly verification: string; readonly event: string } {
  const { record, event } = item.request;
  item.json ??= {
    verification: JSON.stringify(verificationJson.toRow(record)),
    event: JSON.stringify(eventJson.toRow(event)),
  };
  return item.json;
}

/**
 * Creates the verifications of a batch. The outcomes are those of one creation after the other, in order of arrival: a
 * creation is sent together with others only if it conflicts with none before it.
 */
async function createAll(batch: readonly Creation[]): Promise<void> {
  let rest = batch;
  while (rest.length > 1) {
    const rows = withoutRivals(rest);
    const done = await createMany(rest, rows);
    if (done === 'refused') break;
    if (done === 'no_room') {
      const [first, ...others] = rest as [Creation, ...Creation[]];
      // The constraint decides about the first. If it refuses that, the month has no room for the others either.
      if ((await createAlone(first)) === 'limit_reached') {
        await Promise.all(others.map((creation) => lookUpConflict(creation, { outcome: 'limit_reached' })));
      }
    } else await settleMany(rest, rows, done);
    rest = rest.filter(({ isSettled }) => !isSettled);
  }
  for (const creation of rest) if (!creation.isSettled) await createAlone(creation);
}

/** Selects the creations that share neither subject nor `Idempotency-Key` nor id with an earlier one. */
function withoutRivals(creations: readonly Creation[]): Creation[] {
  const claimed = new Set<string>();
  return creations.filter(({ item }) => {
    const { id, subjectReference, idempotencyKey } = item.request.record;
    const claims = [`id ${id}`, `subject ${subjectReference}`];
    if (idempotencyKey !== null) claims.push(`key ${idempotencyKey}`);
    const isFirst = !claims.some((claim) => claimed.has(claim));
    for (const claim of claims) claimed.add(claim);
    return isFirst;
  });
}

interface Done {
  /** Number of creations that were tried, from the first on. */
  readonly tried: number;
  /** Ids of the new verifications. */
  readonly inserted: ReadonlySet<unknown>;
}

/**
 * Runs one statement for the creations `rows` of `rest`.
 * @returns `no_room` if the month has no room, or if other instances took it meanwhile; `refused` if the server refused
 * the statement because of one row, or to end a deadlock. In each case it changed nothing.
 */
async function createMany(
  rest: readonly Creation[],
  rows: readonly Creation[],
): Promise<Done | 'no_room' | 'refused'> {
  const [{ item }] = rows as [Creation];
  const { record, month, allowance } = item.request;
  const texts = rows.map((creation) => jsonOf(creation.item));
  const queued = rows.flatMap((creation) => creation.item.request.mails ?? []);
  try {
    const [row] = await item.runs.write(queued.length === 0 ? CREATE_MANY : CREATE_MANY_WITH_MAILS, {
      clientId: record.clientId,
      month,
      allowance,
      positions: JSON.stringify(rows.map((creation) => rest.indexOf(creation) + 1)),
      verification: `[${texts.map(({ verification }) => verification).join()}]`,
      event: `[${texts.map(({ event }) => event).join()}]`,
      ...valuesOfMails(queued),
    });
    const tried = parseInteger('tried', row?.[0]);
    return tried === 0 ? 'no_room' : { tried, inserted: new Set(parseJsonArray('inserted', row?.[1])) };
  } catch (error) {
    if (violatedConstraint(error) === WITHIN_ALLOWANCE) return 'no_room';
    if (error instanceof PostgresFault || isDeadlock(error)) return 'refused';
    throw error;
  }
}

/**
 * Settles what one statement decided: the inserted creations, those that conflicted, and their rivals in the batch. A
 * rival whose conflict is gone remains.
 */
async function settleMany(rest: readonly Creation[], rows: readonly Creation[], done: Done): Promise<void> {
  const tried = new Set(rows.slice(0, done.tried));
  const untried = new Set(rows.slice(done.tried));
  for (const creation of tried) {
    if (done.inserted.has(creation.item.request.record.id)) creation.resolve({ outcome: 'created' });
  }
  const losers = rest.filter((creation) => !creation.isSettled && !untried.has(creation));
  await Promise.all(losers.map((creation) => lookUpConflict(creation)));
  for (const creation of losers) if (tried.has(creation) && !creation.isSettled) await createAlone(creation);
}

/** Settles a creation with what stands in its way, or with `otherwise`. */
async function lookUpConflict(creation: Creation, otherwise: CreateOutcome | null = null): Promise<void> {
  const { request, runs } = creation.item;
  try {
    const outcome = (await conflictOf(runs.read, request.record)) ?? otherwise;
    if (outcome !== null) creation.resolve(outcome);
  } catch (error) {
    creation.reject(error);
  }
}

/** Creates with a statement of its own, and settles. @returns its outcome; null for an error */
async function createAlone(creation: Creation): Promise<CreateOutcome['outcome'] | null> {
  try {
    const outcome = await createOne(creation.item.runs, creation.item.request);
    creation.resolve(outcome);
    return outcome.outcome;
  } catch (error) {
    creation.reject(error);
    return null;
  }
}
