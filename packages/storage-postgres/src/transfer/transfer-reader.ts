import type { TransferEntries, TransferKey, TransferKind, TransferSource } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { fromApiKeyRow } from '../rows/api-key-row.ts';
import { fromAuditRow } from '../rows/audit-row.ts';
import { fromClientRow, fromSubscriptionRow } from '../rows/client-row.ts';
import { attemptsOf, fromEventRow } from '../rows/event-row.ts';
import { moment, momentOrNull, parseRow, type Row, text, whole } from '../rows/parse-row.ts';
import { fromVerificationRow } from '../rows/verification-row.ts';
import {
  apiKeys,
  auditEntries,
  clients,
  subscriptions,
  usage,
  verificationEvents,
  verifications,
} from '../schema/index.ts';

export function createTransferReader({ read }: Session): TransferSource {
  return {
    async count(kind) {
      const [row] = await read(READERS[kind].count, {});
      return whole('count', Number(row?.[0]));
    },
    async read(kind, after, limit) {
      const { first, next, parse } = READERS[kind];
      const rows = await (after === null ? read(first, { limit }) : read(next, { ...keyValues(after), limit }));
      return rows.map(parse);
    },
  };
}

/** How the entries of a kind are read: in the order of an index, each page from the end of the one before. */
interface Reader<Entry> {
  readonly count: Statement;
  readonly first: Statement;
  readonly next: Statement;
  parse(row: Row): Entry;
}

const LIMIT = sql`limit ${parameter('limit')}`;

/** The parts of a key, by the names of their places. */
function keyValues(key: TransferKey): Record<string, string | number> {
  return Object.fromEntries(key.entries());
}

const READERS: { readonly [K in TransferKind]: Reader<TransferEntries[K]> } = {
  clients: {
    ...pages(clients, [sql`${clients.id}`], {
      columns: sql`${columnsOf(clients)}, ${columnsOf(subscriptions)}`,
      from: sql`${clients} left join ${subscriptions} on ${subscriptions.clientId} = ${clients.id}`,
    }),
    parse: (row) => ({ client: fromClientRow(row), subscription: fromSubscriptionRow(row, 4) }),
  },
  usage: {
    ...pages(usage, [sql`${usage.clientId}`, sql`${usage.month}`]),
    parse: (row) =>
      parseRow('usage of the client', row[0], () => ({
        clientId: text('client_id', row[0]),
        month: text('month', row[1]),
        used: whole('used', row[2]),
        allowance: whole('allowance', row[3]),
      })),
  },
  verifications: {
    ...pages(verifications, [sql`${verifications.id}`]),
    parse: fromVerificationRow,
  },
  events: {
    count: countOf(verificationEvents),
    first: eventsPage({ verifications: sql`true`, events: sql`true` }),
    next: eventsPage({
      verifications: sql`${verifications.id} >= ${parameter('0')}`,
      events: sql`(${verifications.id} > ${parameter('0')} or (version, id) > (${parameter('1')}, ${parameter('2')}))`,
    }),
    parse: (row) => ({
      event: fromEventRow(row),
      delivery: parseRow('event', row[1], () => ({
        availableAt: moment('available_at', row[10]),
        attempts: attemptsOf(row),
        deliveredAt: momentOrNull('delivered_at', row[13]),
      })),
    }),
  },
  audit: {
    ...pages(auditEntries, [sql`${auditEntries.sequence}`]),
    parse: fromAuditRow,
  },
  apiKeys: {
    ...pages(apiKeys, [sql`${apiKeys.clientId}`, sql`${apiKeys.id}`]),
    parse: fromApiKeyRow,
  },
};

function countOf(table: PgTable): Statement {
  return statementOf(sql`select count(*) from ${table}`);
}

function pages(
  table: PgTable,
  key: readonly SQL[],
  { columns = columnsOf(table), from = sql`${table}` }: { columns?: SQL; from?: SQL } = {},
): { count: Statement; first: Statement; next: Statement } {
  const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);
  const after = sql`(${list(key)}) > (${list(key.map((_, index) => parameter(String(index))))})`;
  const page = (where: SQL): Statement =>
    statementOf(sql`select ${columns} from ${from} where ${where} order by ${list(key)} ${LIMIT}`);
  return { count: countOf(table), first: page(sql`true`), next: page(after) };
}

/**
 * No index of events begins with the verification, since all begin with the client. So the verifications are gone
 * through, and the events of each are looked up: `offset 0` keeps the planner from joining the tables as wholes, which
 * it might for every page.
 */
function eventsPage(after: { verifications: SQL; events: SQL }): Statement {
  return statementOf(sql`
    select event.* from ${verifications}, lateral (
      select ${columnsOf(verificationEvents)} from ${verificationEvents}
      where ${verificationEvents.clientId} = ${verifications.clientId}
        and ${verificationEvents.verificationId} = ${verifications.id} and ${after.events}
      offset 0
    ) as event
    where ${after.verifications}
    order by ${verifications.id}, event.version, event.id ${LIMIT}`);
}
