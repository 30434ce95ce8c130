import { type ClientWithSubscription, type Subscription, testTwinOf } from '@countersign/domain/clients';
import {
  type ClientQuery,
  type ClientRepository,
  clientNameKey,
  type SubscriptionChange,
} from '@countersign/domain/storage';
import { assignments, insertInto, isAfter } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { type Compiled, compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import { violatedConstraint } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { clients, subscriptions, usage } from '../schema.ts';
import { clientRows, subscriptionOf, subscriptionRows } from '../tables/rows.ts';
import { rangeValues } from './prefix-search.ts';

type ClientOutcome = Awaited<ReturnType<ClientRepository['setFileAccess']>>;
type ChangeOutcome = Awaited<ReturnType<ClientRepository['changeSubscription']>>;

/** The repository of clients. It prepares the statements of pages; changes are rare. */
export function createClientRepository(session: Session): ClientRepository {
  const { connection, read, write } = session;
  const one = compileEntries(session, sql`where ${clients.id} = ${parameter('clientId')}`);
  const all = compileEntries(session, sql`order by ${clients.createdAt}, ${clients.id}`);
  const twinOf = compileRows<ClientRow>(
    connection,
    sql`select ${fieldsOf(clients)} from ${clients} where ${clients.testOf} = ${parameter('clientId')}`,
  );
  const named = compileRows<Pick<ClientRow, 'id' | 'name' | 'testOf' | 'dueHours'>>(
    connection,
    sql`select ${fieldsOf({ id: clients.id, name: clients.name, testOf: clients.testOf, dueHours: clients.dueHours })} from ${clients}
      where ${clients.id} in (select value from json_each(${parameter('ids')}))`,
  );
  const usedIn = compile(
    connection,
    sql`select ${usage.used} from ${usage}
      where ${usage.clientId} = ${parameter('clientId')} and ${usage.month} = ${parameter('month')}`,
  );
  const insert = compile(connection, insertInto(clients));
  const subscribe = compile(connection, insertInto(subscriptions));
  const exists = compile(connection, sql`select 1 from ${clients} where ${clients.id} = ${parameter('clientId')}`);

  /** The subscription as the change leaves it; null where the client has none. */
  function changed(clientId: string, change: SubscriptionChange): Subscription | null {
    const columns = columnsOf(change);
    const fields = Object.entries(columns).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    const own = sql`${subscriptions.clientId} = ${parameter('clientId')}`;
    const changing =
      fields.length === 0
        ? sql`select ${fieldsOf(subscriptions)} from ${subscriptions} where ${own}`
        : sql`update ${subscriptions} set ${assignments(subscriptions, fields)} where ${own}
          returning ${fieldsOf(subscriptions)}`;
    const [row] = compileRows<SubscriptionRow>(connection, changing).all({ ...columns, clientId });
    return subscriptionOf(row ?? null);
  }

  const change = (clientId: string, columns: Partial<ClientRow>) =>
    write<ClientOutcome>(() => {
      const update = sql`update ${clients} set ${assignments(clients, Object.keys(columns))}
        where ${clients.id} = ${parameter('clientId')} returning ${fieldsOf(clients)}`;
      const [row] = compileRows<ClientRow>(connection, update).all({ ...columns, clientId });
      if (row === undefined) return { keep: false, value: { outcome: 'client_not_found' } };
      return { keep: true, value: { outcome: 'changed', client: clientRows.fromRow(row) } };
    });

  return {
    create: ({ client, subscription, test }) =>
      write<{ outcome: 'created' | 'exists' }>(() => {
        try {
          insert.run(clientRows.toRow(client));
        } catch (error) {
          if (violatedConstraint(error) !== 'clientId') throw error;
          return { keep: false, value: { outcome: 'exists' } };
        }
        if (test !== undefined) insert.run(clientRows.toRow(test));
        if (subscription !== null) {
          subscribe.run(subscriptionRows.toRow(subscription, { clientId: client.id }));
        }
        return { keep: true, value: { outcome: 'created' } };
      }),

    async testTwin(clientId, ifMissing) {
      const present = await read(() => twinOf.get({ clientId }));
      if (present !== undefined) return clientRows.fromRow(present);
      return write(() => {
        const other = twinOf.get({ clientId });
        if (other !== undefined) return { keep: false, value: clientRows.fromRow(other) };
        const client = one.get({ clientId });
        if (client === undefined || client.testOf !== null) return { keep: false, value: null };
        const twin = testTwinOf(client, ifMissing);
        insert.run(clientRows.toRow(twin));
        return { keep: true, value: twin };
      });
    },

    find: (clientId) =>
      read(() => {
        const row = one.get({ clientId });
        return row === undefined ? null : entryOf(row);
      }),

    list: () => read(() => all.all().map(entryOf)),

    search: createSearch(session),

    names: (clientIds) =>
      read(() => new Map(named.all({ ids: JSON.stringify(clientIds) }).map(({ id, ...name }) => [id, name]))),

    changeSubscription: (clientId, change, initial) =>
      write<ChangeOutcome>(() => {
        const subscription = changed(clientId, change);
        if (subscription !== null) return { keep: true, value: { outcome: 'changed', subscription } };
        if (exists.get({ clientId }) === undefined) return { keep: false, value: { outcome: 'client_not_found' } };
        if (initial === null) return { keep: false, value: { outcome: 'no_subscription' } };
        subscribe.run(subscriptionRows.toRow(initial, { clientId }));
        return { keep: true, value: { outcome: 'changed', subscription: initial } };
      }),

    setReturnAddresses: (clientId, returnAddresses) => change(clientId, clientRows.toColumns({ returnAddresses })),

    setFileAccess: (clientId, fileAccess) => change(clientId, clientRows.toColumns({ fileAccess })),

    setFlowSettings: (clientId, flowSettings) => change(clientId, clientRows.toColumns({ flowSettings })),

    setReasonTemplates: (clientId, reasonTemplates) => change(clientId, clientRows.toColumns({ reasonTemplates })),

    usedIn: (clientId, month) => read(() => Number(usedIn.get({ clientId, month })?.[0] ?? 0)),
  };
}

// The plus before `test_of` keeps its own index out: nearly every client has none.
const IN_RANGE = sql`${clients.nameKey} >= ${parameter('prefixFrom')} and ${clients.nameKey} < ${parameter('prefixUntil')}
  and +${clients.testOf} is null`;
// The plus keeps the beginning of the prefix out of the index: the page begins after its position.
const AFTER = sql`${isAfter([clients.nameKey, clients.id], ['afterKey', 'afterId'].map(parameter))}
  and +${clients.nameKey} >= ${parameter('prefixFrom')} and ${clients.nameKey} < ${parameter('prefixUntil')}
  and +${clients.testOf} is null`;

function createSearch(session: Session): ClientRepository['search'] {
  const { connection, readPage } = session;
  const [first, next] = [IN_RANGE, AFTER].map((condition) =>
    compileEntries(
      session,
      sql`where ${condition} order by ${clients.nameKey}, ${clients.id} limit ${sql.placeholder('limit')}`,
    ),
  ) as [Compiled<EntryRow>, Compiled<EntryRow>];
  const countUpTo = compile(
    connection,
    sql`select count(*) from (select 1 from ${clients} where ${IN_RANGE} limit ${sql.placeholder('most')})`,
  );
  return ({ namePrefix, after, limit, countUpTo: upTo }: ClientQuery) =>
    readPage(() => {
      const range = rangeValues(clientNameKey(namePrefix));
      const rows =
        after === undefined
          ? first.all({ ...range, limit })
          : next.all({ ...range, limit, afterKey: clientNameKey(after.name), afterId: after.id });
      const totalCount = Number(countUpTo.get({ ...range, most: upTo + 1 })?.[0]);
      return { entries: rows.map(entryOf), totalCount };
    });
}

type ClientRow = typeof clients.$inferSelect;
type SubscriptionRow = typeof subscriptions.$inferSelect;

/** A client with its subscription, whose columns are null if there is none. No column of both has one name. */
type EntryRow = ClientRow & (SubscriptionRow | { readonly [K in keyof SubscriptionRow]: null });

function compileEntries({ connection }: Session, rest: SQL): Compiled<EntryRow> {
  return compileRows(
    connection,
    sql`select ${fieldsOf(clients)}, ${fieldsOf(subscriptions)} from ${clients}
      left join ${subscriptions} on ${subscriptions.clientId} = ${clients.id} ${rest}`,
  );
}

function entryOf(row: EntryRow): ClientWithSubscription {
  return { client: clientRows.fromRow(row), subscription: subscriptionOf(row.clientId === null ? null : row) };
}

/** Fields that are left out stay undefined, and unchanged. */
function columnsOf({ startsAt, endsAt, ...same }: SubscriptionChange) {
  return { ...same, startsAt: startsAt?.getTime(), endsAt: endsAt === null ? null : endsAt?.getTime() };
}
