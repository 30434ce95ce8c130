import type { ClientRepository, SubscriptionChange } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import { violatedConstraint } from '../connection/faults.ts';
import type { Session } from '../connection/session.ts';
import {
  columnNames,
  columnsOf,
  parameter,
  type Statement,
  statementOf,
  type Value,
} from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { fromSubscriptionRow, toSubscriptionRow } from '../rows/client-row.ts';
import { areIds, momentText, momentTextOrNull } from '../rows/values.ts';
import { clients, subscriptions } from '../schema/index.ts';

const EXISTS = statementOf(sql`select 1 from ${clients} where ${clients.id} = ${parameter('clientId')}`);

/** An operator's affair, so nothing is kept: the statement names just the fields that change. */
export function createChangeSubscription({ operation }: Session): ClientRepository['changeSubscription'] {
  return (clientId, change, initial) =>
    operation(async ({ read, write }) => {
      if (!areIds(clientId)) return { outcome: 'client_not_found' };
      const columns = columnsToSet(change);
      if (initial !== null) {
        try {
          const [row] = await write(upsert(columns), { clientId, ...toSubscriptionRow(initial) });
          return { outcome: 'changed', subscription: fromSubscriptionRow(row ?? []) ?? initial };
        } catch (error) {
          if (violatedConstraint(error) !== 'subscriptions_client') throw error;
          return { outcome: 'client_not_found' };
        }
      }
      const [row] = await write(update(columns), { clientId });
      const subscription = row === undefined ? null : fromSubscriptionRow(row);
      if (subscription !== null) return { outcome: 'changed', subscription };
      const [client] = await read(EXISTS, { clientId });
      return { outcome: client === undefined ? 'client_not_found' : 'no_subscription' };
    });
}

/** Left out stays left out. Where nothing is set, the row is still touched, so that it is returned. */
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
  return sql.join(
    set.map(([name, value]) => sql`${sql.identifier(name)} = ${value}`),
    sql`, `,
  );
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
