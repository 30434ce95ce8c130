import { testTwinOf } from '@countersign/domain/clients';
import type { ClientRepository, SubscriptionChange } from '@countersign/domain/storage';
import { isAfter, list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { violatedConstraint } from '../connection/faults.ts';
import type { Session } from '../connection/session.ts';
import {
  columnNames,
  columnsOf,
  insertFromJson,
  insertInto,
  parameter,
  rowsFromJson,
  type Statement,
  statementOf,
  type Value,
} from '../connection/statement.ts';
import { nameKeyOf, sql } from '../drizzle.ts';
import {
  areIds,
  isStorable,
  momentText,
  momentTextOrNull,
  parseInteger,
  parseText,
  parseTextOrNull,
} from '../rows/parse-row.ts';
import { clients, subscriptions, usage } from '../schema.ts';
import { clientJson, clientRows, entryOf, subscriptionOf, subscriptionRows } from '../tables/rows.ts';

type ClientOutcome = Awaited<ReturnType<ClientRepository['setFileAccess']>>;

const CREATE = statementOf(sql`
  with inserted as (
    ${insertInto(clients)} on conflict do nothing returning id
  ), subscribed as (
    insert into ${subscriptions} (${columnNames(subscriptions)})
    select id, ${parameter('plan')}, ${parameter('status')}, ${parameter('monthlyLimit')}::integer,
      ${parameter('startsAt')}::timestamptz, ${parameter('endsAt')}::timestamptz
    from inserted where ${parameter('hasSubscription')}::boolean
  ), twin as (
    ${insertFromJson(clients, 'twins', sql`inserted cross join ${rowsFromJson(clients, 'twins')}`)}
  )
  select count(*)::integer from inserted`);

const NO_SUBSCRIPTION = { plan: null, status: null, monthlyLimit: null, startsAt: null, endsAt: null };

const ENTRIES = sql`
  select ${columnsOf(clients)}, ${columnsOf(subscriptions)} from ${clients}
  left join ${subscriptions} on ${subscriptions.clientId} = ${clients.id}`;

const FIND = statementOf(sql`${ENTRIES} where ${clients.id} = ${parameter('id')}`);
const FIND_TWIN = statementOf(sql`
  select ${columnsOf(clients)} from ${clients} where ${clients.testOf} = ${parameter('id')}`);
const INSERT_TWIN = statementOf(sql`
  ${insertFromJson(clients, 'twins')}
  on conflict (test_of) do nothing
  returning ${columnsOf(clients)}`);
const LIST = statementOf(sql`${ENTRIES} order by ${clients.createdAt}, ${clients.id}`);
const KEY = nameKeyOf(clients.name);
const PREFIX = nameKeyOf(sql`${parameter('namePrefix')}::text`);
const LAST_CHARACTER = sql`chr(1114111)`;
const IN_RANGE = sql`${KEY} >= ${PREFIX} and ${KEY} < (${PREFIX} || ${LAST_CHARACTER}) and ${clients.testOf} is null`;
const AFTER = isAfter(
  [KEY, clients.id],
  [nameKeyOf(sql`${parameter('afterName')}::text`), sql`${parameter('afterId')}::uuid`],
);

/** The total stands before the columns of each row. A page without clients has one row of nulls. */
function searchStatement(after: SQL): Statement {
  return statementOf(sql`
    select total.count, ${columnsOf(clients)}, ${columnsOf(subscriptions)}
    from (select count(*)::integer as count from (
      select 1 from ${clients} where ${IN_RANGE} limit ${parameter('most')}
    ) as counted) as total
    left join (
      select * from ${clients} where ${IN_RANGE} ${after} order by ${KEY}, ${clients.id} limit ${parameter('limit')}
    ) as ${clients} on true
    left join ${subscriptions} on ${subscriptions.clientId} = ${clients.id}
    order by ${KEY}, ${clients.id}`);
}

const FIRST_PAGE = searchStatement(sql``);
const NEXT_PAGE = searchStatement(sql`and ${AFTER}`);
const NAMES = statementOf(sql`
  select ${clients.id}, ${clients.name}, ${clients.testOf}, ${clients.dueHours} from ${clients}
  where ${clients.id} = any(${parameter('ids')}::uuid[])`);
const SET_RETURN_ADDRESSES = statementOf(sql`
  update ${clients} set return_addresses = ${parameter('returnAddresses')}::jsonb where ${clients.id} = ${parameter('id')}
  returning ${columnsOf(clients)}`);
const SET_FILE_ACCESS = statementOf(sql`
  update ${clients} set file_access = ${parameter('fileAccess')} where ${clients.id} = ${parameter('id')}
  returning ${columnsOf(clients)}`);
const SET_FLOW_SETTINGS = statementOf(sql`
  update ${clients} set asks_place_of_birth = ${parameter('asksPlaceOfBirth')},
    asks_proof_of_address = ${parameter('asksProofOfAddress')}, minimum_age = ${parameter('minimumAge')},
    link_days = ${parameter('linkDays')}, decision_within = ${parameter('decisionWithin')},
    reading_is_advice = ${parameter('readingIsAdvice')}, due_hours = ${parameter('dueHours')},
    family_name_index = ${parameter('familyNameIndex')}, warnings_in_details = ${parameter('warningsInDetails')}
  where ${clients.id} = ${parameter('id')}
  returning ${columnsOf(clients)}`);
const SET_REASON_TEMPLATES = statementOf(sql`
  update ${clients} set reason_templates = ${parameter('reasonTemplates')}::jsonb where ${clients.id} = ${parameter('id')}
  returning ${columnsOf(clients)}`);
const USED = statementOf(sql`
  select ${usage.used} from ${usage}
  where ${usage.clientId} = ${parameter('clientId')} and ${usage.month} = ${parameter('month')}`);

export function createClientRepository(session: Session): ClientRepository {
  const { read, write } = session;

  async function change(
    statement: Statement,
    id: string,
    values: Readonly<Record<string, Value>>,
  ): Promise<ClientOutcome> {
    if (!areIds(id)) return { outcome: 'client_not_found' };
    const [row] = await write(statement, { id, ...values });
    if (row === undefined) return { outcome: 'client_not_found' };
    return { outcome: 'changed', client: clientRows.fromRow(row) };
  }

  return {
    async create({ client, subscription, test }) {
      const subscribed = subscription === null ? NO_SUBSCRIPTION : subscriptionRows.toColumns(subscription);
      const [row] = await write(CREATE, {
        ...clientRows.toRow(client),
        ...subscribed,
        hasSubscription: subscription !== null,
        twins: JSON.stringify(test === undefined ? [] : [clientJson.toRow(test)]),
      });
      return { outcome: row?.[0] === 1 ? 'created' : 'exists' };
    },

    testTwin: createTestTwin(session),

    async find(id) {
      if (!areIds(id)) return null;
      const [row] = await read(FIND, { id });
      return row === undefined ? null : entryOf(row);
    },

    list: async () => (await read(LIST, {})).map(entryOf),

    async search({ namePrefix, after, limit, countUpTo }) {
      if (!isStorable(namePrefix) || (after !== undefined && !(areIds(after.id) && isStorable(after.name)))) {
        return { entries: [], totalCount: 0 };
      }
      const position = after === undefined ? {} : { afterName: after.name, afterId: after.id };
      const statement = after === undefined ? FIRST_PAGE : NEXT_PAGE;
      const rows = await read(statement, { namePrefix, limit, most: countUpTo + 1, ...position });
      const [first] = rows;
      return {
        entries: first === undefined || first[1] === null ? [] : rows.map((row) => entryOf(row.slice(1))),
        totalCount: parseInteger('count', first?.[0]),
      };
    },

    async names(clientIds) {
      const ids = clientIds.filter((id) => areIds(id));
      const rows = ids.length === 0 ? [] : await read(NAMES, { ids: `{${ids.join()}}` });
      return new Map(
        rows.map(([id, name, testOf, dueHours]) => [
          parseText('id', id),
          {
            name: parseText('name', name),
            testOf: parseTextOrNull('test_of', testOf),
            dueHours: dueHours === null ? null : parseInteger('due_hours', dueHours),
          },
        ]),
      );
    },

    changeSubscription: createChangeSubscription(session),

    setReturnAddresses: (id, returnAddresses) =>
      change(SET_RETURN_ADDRESSES, id, clientRows.toColumns({ returnAddresses })),
    setFileAccess: (id, fileAccess) => change(SET_FILE_ACCESS, id, { fileAccess }),
    setFlowSettings: (id, flowSettings) => change(SET_FLOW_SETTINGS, id, clientRows.toColumns({ flowSettings })),
    setReasonTemplates: (id, reasonTemplates) =>
      change(SET_REASON_TEMPLATES, id, clientRows.toColumns({ reasonTemplates })),

    async usedIn(clientId, month) {
      if (!areIds(clientId) || !isStorable(month)) return 0;
      const [row] = await read(USED, { clientId, month });
      return row === undefined ? 0 : parseInteger('used', row[0]);
    },
  };
}

/** Of calls at once, one inserts the twin, and the others read it. */
function createTestTwin({ operation }: Session): ClientRepository['testTwin'] {
  return (id, ifMissing) =>
    operation(async ({ read, write }) => {
      if (!areIds(id)) return null;
      const [present] = await read(FIND_TWIN, { id });
      if (present !== undefined) return clientRows.fromRow(present);
      const [row] = await read(FIND, { id });
      if (row === undefined) return null;
      const client = clientRows.fromRow(row);
      if (client.testOf !== null) return null;
      const twin = testTwinOf(client, ifMissing);
      const [inserted] = await write(INSERT_TWIN, { twins: JSON.stringify([clientJson.toRow(twin)]) });
      if (inserted !== undefined) return clientRows.fromRow(inserted);
      const [other] = await read(FIND_TWIN, { id });
      return other === undefined ? null : clientRows.fromRow(other);
    });
}

const EXISTS = statementOf(sql`select 1 from ${clients} where ${clients.id} = ${parameter('clientId')}`);

/**
 * Changes a subscription. The statement names only the changed fields and is not kept, because operators run it rarely.
 */
function createChangeSubscription({ operation }: Session): ClientRepository['changeSubscription'] {
  return (clientId, change, initial) =>
    operation(async ({ read, write }) => {
      if (!areIds(clientId)) return { outcome: 'client_not_found' };
      const columns = columnsToSet(change);
      if (initial !== null) {
        try {
          const [row] = await write(upsert(columns), { clientId, ...subscriptionRows.toColumns(initial) });
          return { outcome: 'changed', subscription: subscriptionOf(row ?? []) ?? initial };
        } catch (error) {
          if (violatedConstraint(error) !== 'subscriptions_client') throw error;
          return { outcome: 'client_not_found' };
        }
      }
      const [row] = await write(update(columns), { clientId });
      const subscription = row === undefined ? null : subscriptionOf(row);
      if (subscription !== null) return { outcome: 'changed', subscription };
      const [client] = await read(EXISTS, { clientId });
      return { outcome: client === undefined ? 'client_not_found' : 'no_subscription' };
    });
}

/** Fields that are left out stay unchanged. Without any field, the row is still updated, so that it is returned. */
function columnsToSet({ plan, status, monthlyLimit, startsAt, endsAt }: SubscriptionChange): SQL {
  const values: Record<string, Value | undefined> = {
    plan,
    status,
    monthly_limit: monthlyLimit,
    starts_at: startsAt === undefined ? undefined : momentText(startsAt),
    ends_at: endsAt === undefined ? undefined : momentTextOrNull(endsAt),
  };
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  if (set.length === 0) return sql`plan = ${subscriptions.plan}`;
  return list(set.map(([name, value]) => sql`${sql.identifier(name)} = ${value}`));
}

function update(columns: SQL): Statement {
  return statementOf(sql`
    update ${subscriptions} set ${columns} where ${subscriptions.clientId} = ${parameter('clientId')}
    returning ${columnsOf(subscriptions)}`);
}

function upsert(columns: SQL): Statement {
  return statementOf(sql`
    insert into ${subscriptions} (${columnNames(subscriptions)})
    values (${parameter('clientId')}, ${parameter('plan')}, ${parameter('status')}, ${parameter('monthlyLimit')},
      ${parameter('startsAt')}, ${parameter('endsAt')})
    on conflict (client_id) do update set ${columns}
    returning ${columnsOf(subscriptions)}`);
}
