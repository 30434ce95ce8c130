import type { ClientRepository, ClientWithSubscription } from '@countersign/domain';
import type { Session } from '../connection/session.ts';
import { columnNames, columnParameters, columnsOf, parameter, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { fromClientRow, fromSubscriptionRow, toClientRow, toSubscriptionRow } from '../rows/client-row.ts';
import { type Row, whole } from '../rows/parse-row.ts';
import { areIds, isStorable } from '../rows/values.ts';
import { clients, subscriptions, usage } from '../schema/index.ts';
import { createChangeSubscription } from './change-subscription.ts';

const CREATE = statementOf(sql`
  with inserted as (
    insert into ${clients} (${columnNames(clients)})
    values (${columnParameters(clients)})
    on conflict do nothing returning id
  ), subscribed as (
    insert into ${subscriptions} (${columnNames(subscriptions)})
    select id, ${parameter('plan')}, ${parameter('status')}, ${parameter('monthlyLimit')}::integer,
      ${parameter('startsAt')}::timestamptz, ${parameter('endsAt')}::timestamptz
    from inserted where ${parameter('hasSubscription')}::boolean
  )
  select count(*)::integer from inserted`);

const NO_SUBSCRIPTION = { plan: null, status: null, monthlyLimit: null, startsAt: null, endsAt: null };

const ENTRIES = sql`
  select ${columnsOf(clients)}, ${columnsOf(subscriptions)} from ${clients}
  left join ${subscriptions} on ${subscriptions.clientId} = ${clients.id}`;
/** Where the subscription begins: after the four columns of the client. */
const SUBSCRIPTION = 4;

const FIND = statementOf(sql`${ENTRIES} where ${clients.id} = ${parameter('id')}`);
const LIST = statementOf(sql`${ENTRIES} order by ${clients.createdAt}, ${clients.id}`);
const SET_SANDBOX = statementOf(sql`
  update ${clients} set sandbox = ${parameter('sandbox')} where ${clients.id} = ${parameter('id')}
  returning ${columnsOf(clients)}`);
const USED = statementOf(sql`
  select ${usage.used} from ${usage}
  where ${usage.clientId} = ${parameter('clientId')} and ${usage.month} = ${parameter('month')}`);

export function createClientRepository(session: Session): ClientRepository {
  const { read, write } = session;
  return {
    async create({ client, subscription }) {
      const subscribed = subscription === null ? NO_SUBSCRIPTION : toSubscriptionRow(subscription);
      const [row] = await write(CREATE, {
        ...toClientRow(client),
        ...subscribed,
        hasSubscription: subscription !== null,
      });
      return { outcome: row?.[0] === 1 ? 'created' : 'exists' };
    },

    async find(id) {
      if (!areIds(id)) return null;
      const [row] = await read(FIND, { id });
      return row === undefined ? null : entryOf(row);
    },

    list: async () => (await read(LIST, {})).map(entryOf),

    changeSubscription: createChangeSubscription(session),

    async setSandbox(id, sandbox) {
      if (!areIds(id)) return { outcome: 'client_not_found' };
      const [row] = await write(SET_SANDBOX, { id, sandbox });
      if (row === undefined) return { outcome: 'client_not_found' };
      return { outcome: 'changed', client: fromClientRow(row) };
    },

    async usedIn(clientId, month) {
      if (!areIds(clientId) || !isStorable(month)) return 0;
      const [row] = await read(USED, { clientId, month });
      return row === undefined ? 0 : whole('used', row[0]);
    },
  };
}

function entryOf(row: Row): ClientWithSubscription {
  return { client: fromClientRow(row), subscription: fromSubscriptionRow(row, SUBSCRIPTION) };
}
