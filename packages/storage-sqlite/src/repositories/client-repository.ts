import { type ClientWithSubscription, type Subscription, testTwinOf } from '@countersign/domain/clients';
import {
  type ClientQuery,
  type ClientRepository,
  clientNameKey,
  type SubscriptionChange,
} from '@countersign/domain/storage';
import { isAfter } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { compile, parameter, prepared } from '../connection/compiled.ts';
import { violatedConstraint } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, eq, sql } from '../drizzle.ts';
import { fromClientRow, fromSubscriptionRow, toClientRow, toSubscriptionRow } from '../rows/rows.ts';
import { clients, subscriptions, usage } from '../schema.ts';
import { rangeValues } from './prefix-search.ts';

type ClientOutcome = Awaited<ReturnType<ClientRepository['setFileAccess']>>;
type ChangeOutcome = Awaited<ReturnType<ClientRepository['changeSubscription']>>;

/** The repository of clients. It prepares the statements of pages; changes are rare. */
export function createClientRepository(session: Session): ClientRepository {
  const { db, read, write } = session;
  const entries = () =>
    db
      .select({ client: clients, subscription: subscriptions })
      .from(clients)
      .leftJoin(subscriptions, eq(subscriptions.clientId, clients.id));

  const one = prepared(entries().where(eq(clients.id, parameter('clientId'))));
  const twinOf = prepared(
    db
      .select()
      .from(clients)
      .where(eq(clients.testOf, parameter('clientId'))),
  );
  const all = prepared(entries().orderBy(asc(clients.createdAt), asc(clients.id)));

  const named = prepared(
    db
      .select({ id: clients.id, name: clients.name, testOf: clients.testOf })
      .from(clients)
      .where(sql`${clients.id} in (select value from json_each(${parameter('ids')}))`),
  );

  const usedIn = prepared(
    db
      .select({ used: usage.used })
      .from(usage)
      .where(and(eq(usage.clientId, parameter('clientId')), eq(usage.month, parameter('month')))),
  );

  function exists(clientId: string): boolean {
    return db.select({ id: clients.id }).from(clients).where(eq(clients.id, clientId)).get() !== undefined;
  }

  /** The subscription as the change leaves it; null where the client has none. */
  function changed(clientId: string, change: SubscriptionChange): Subscription | null {
    const own = eq(subscriptions.clientId, clientId);
    const columns = columnsOf(change);
    const row = Object.values(columns).every((value) => value === undefined)
      ? db.select().from(subscriptions).where(own).get()
      : db.update(subscriptions).set(columns).where(own).returning().get();
    return fromSubscriptionRow(row ?? null);
  }

  const change = (
    clientId: string,
    columns: Partial<Pick<typeof clients.$inferInsert, 'returnAddresses' | 'fileAccess'>>,
  ) =>
    write<ClientOutcome>(() => {
      const row = db.update(clients).set(columns).where(eq(clients.id, clientId)).returning().get();
      if (row === undefined) return { keep: false, value: { outcome: 'client_not_found' } };
      return { keep: true, value: { outcome: 'changed', client: fromClientRow(row) } };
    });

  return {
    create: ({ client, subscription, test }) =>
      write<{ outcome: 'created' | 'exists' }>(() => {
        try {
          db.insert(clients).values(toClientRow(client)).run();
        } catch (error) {
          if (violatedConstraint(error) !== 'clientId') throw error;
          return { keep: false, value: { outcome: 'exists' } };
        }
        if (test !== undefined) db.insert(clients).values(toClientRow(test)).run();
        if (subscription !== null) {
          db.insert(subscriptions).values(toSubscriptionRow(client.id, subscription)).run();
        }
        return { keep: true, value: { outcome: 'created' } };
      }),

    async testTwin(clientId, ifMissing) {
      const present = await read(() => twinOf.get({ clientId }));
      if (present !== undefined) return fromClientRow(present);
      return write(() => {
        const other = twinOf.get({ clientId });
        if (other !== undefined) return { keep: false, value: fromClientRow(other) };
        const client = one.get({ clientId })?.client;
        if (client === undefined || client.testOf !== null) return { keep: false, value: null };
        const twin = testTwinOf(client, ifMissing);
        db.insert(clients).values(toClientRow(twin)).run();
        return { keep: true, value: twin };
      });
    },

    find: (clientId) =>
      read(() => {
        const row = one.get({ clientId });
        return row === undefined ? null : entryOf(row);
      }),

    list: () => read(() => all.all().map(entryOf)),

    search: createSearch(session, (condition) =>
      prepared(
        entries().where(condition).orderBy(asc(clients.nameKey), asc(clients.id)).limit(sql.placeholder('limit')),
      ),
    ),

    names: (clientIds) =>
      read(() => new Map(named.all({ ids: JSON.stringify(clientIds) }).map(({ id, ...name }) => [id, name]))),

    changeSubscription: (clientId, change, initial) =>
      write<ChangeOutcome>(() => {
        const subscription = changed(clientId, change);
        if (subscription !== null) return { keep: true, value: { outcome: 'changed', subscription } };
        if (!exists(clientId)) return { keep: false, value: { outcome: 'client_not_found' } };
        if (initial === null) return { keep: false, value: { outcome: 'no_subscription' } };
        db.insert(subscriptions).values(toSubscriptionRow(clientId, initial)).run();
        return { keep: true, value: { outcome: 'changed', subscription: initial } };
      }),

    setReturnAddresses: (clientId, returnAddresses) =>
      change(clientId, { returnAddresses: JSON.stringify(returnAddresses) }),

    setFileAccess: (clientId, fileAccess) => change(clientId, { fileAccess: Number(fileAccess) }),

    usedIn: (clientId, month) => read(() => usedIn.get({ clientId, month })?.used ?? 0),
  };
}

// The plus before `test_of` keeps its own index out: nearly every client has none.
const IN_RANGE = sql`${clients.nameKey} >= ${parameter('prefixFrom')} and ${clients.nameKey} < ${parameter('prefixUntil')}
  and +${clients.testOf} is null`;
// The plus keeps the beginning of the prefix out of the index: the page begins after its position.
const AFTER = sql`${isAfter([clients.nameKey, clients.id], ['afterKey', 'afterId'].map(parameter))}
  and +${clients.nameKey} >= ${parameter('prefixFrom')} and ${clients.nameKey} < ${parameter('prefixUntil')}
  and +${clients.testOf} is null`;

type Row = Parameters<typeof entryOf>[0];

function createSearch(
  { connection, readPage }: Session,
  select: (condition: SQL) => { all(values: Record<string, unknown>): Row[] },
): ClientRepository['search'] {
  const [first, next] = [select(IN_RANGE), select(AFTER)];
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

function entryOf(row: {
  client: typeof clients.$inferSelect;
  subscription: typeof subscriptions.$inferSelect | null;
}): ClientWithSubscription {
  return { client: fromClientRow(row.client), subscription: fromSubscriptionRow(row.subscription) };
}

/** Fields that are left out stay unchanged: drizzle does not set undefined values. */
function columnsOf({ startsAt, endsAt, ...same }: SubscriptionChange) {
  return { ...same, startsAt: startsAt?.getTime(), endsAt: endsAt === null ? null : endsAt?.getTime() };
}
