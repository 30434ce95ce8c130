import type { EndpointState } from '@countersign/domain/webhooks';
import { compile, parameter } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../../webhook-tables.ts';

/** The outage that a success at `at` ended, and what becomes due with it. */
interface Waking {
  readonly at: number;
  readonly since: number;
  /** Null of an outage that ends now. */
  readonly until: number | null;
  readonly limit: number;
  readonly withinMs: number;
}

/** Changes of what waits for an endpoint. All run inside the caller's transaction. */
export interface WaitingDeliveries {
  /** Makes waiting deliveries follow a new state of their endpoint: due immediately, or failed. */
  follow(endpointId: string, change: { before: string; after: EndpointState; now: number }): void;
  /** Makes due what failed during an outage, spread evenly over some time. @returns whether more than that may wait */
  wake(endpointId: string, waking: Waking): boolean;
  /** Sets when the endpoint is due: with its first waiting delivery. */
  refresh(endpointId: string): void;
}

export function createWaitingDeliveries({ connection }: Pick<Session, 'connection'>): WaitingDeliveries {
  const ofEndpoint = sql`${webhookDeliveries.endpointId} = ${parameter('endpointId')}`;
  const makeDue = compile(
    connection,
    sql`update ${webhookDeliveries} set due_at = ${parameter('now')}
      where ${ofEndpoint} and ${webhookDeliveries.dueAt} > ${parameter('now')}`,
  );
  const giveUp = compile(
    connection,
    sql`update ${webhookDeliveries} set state = 'failed', due_at = null
      where ${ofEndpoint} and ${webhookDeliveries.dueAt} is not null`,
  );
  const late = compile(
    connection,
    sql`select count(*) from (
      select 1 from ${webhookDeliveries} where endpoint_id = ${parameter('endpointId')} and due_at > ${parameter('at')}
      limit ${parameter('limit')}
    )`,
  );
  const wake = compile(
    connection,
    sql`update ${webhookDeliveries} set due_at = cast(${parameter('at')} + ${parameter('withinMs')} * woken.place / woken.total as integer)
      from (
        select late.rowid as id, count(*) over () as total,
          row_number() over (order by late.due_at, late.version, late.event_id) - 1 as place
        from (
          select rowid, verification_id, endpoint_id, due_at, version, event_id from ${webhookDeliveries}
          where endpoint_id = ${parameter('endpointId')} and due_at > ${parameter('at')}
          order by due_at, version, event_id limit ${parameter('limit')}
        ) as late
        where not exists (
          select 1 from ${webhookDeliveries} as tried indexed by webhook_deliveries_verification
          cross join ${webhookAttempts} as attempt
          where tried.verification_id = late.verification_id and tried.endpoint_id = late.endpoint_id and tried.due_at is not null
            and attempt.client_id = tried.client_id and attempt.endpoint_id = tried.endpoint_id
            and attempt.event_id = tried.event_id
            and (attempt.at < ${parameter('since')} or attempt.at >= ${parameter('until')})
        )
      ) as woken where ${webhookDeliveries}.rowid = woken.id`,
  );
  const firstDue = sql`(select min(${webhookDeliveries.dueAt}) from ${webhookDeliveries}
    where ${ofEndpoint} and ${webhookDeliveries.dueAt} is not null)`;
  const refresh = compile(
    connection,
    sql`update ${webhookEndpoints} set due_at = ${firstDue}
      where ${webhookEndpoints.id} = ${parameter('endpointId')} and ${webhookEndpoints.dueAt} is not ${firstDue}`,
  );

  return {
    follow(endpointId, { before, after, now }) {
      if (before === after) return;
      if (after === 'active') makeDue.run({ endpointId, now });
      if (after === 'disabled') giveUp.run({ endpointId });
    },
    wake(endpointId, waking) {
      const values = { endpointId, ...waking };
      const isCut = late.get(values)?.[0] === waking.limit;
      wake.run(values);
      return isCut;
    },
    refresh: (endpointId) => void refresh.run({ endpointId }),
  };
}

/** `:now`, or when the last of the earlier versions that wait is due. Stands where a delivery's columns are known. */
export const DUE_AFTER_EARLIER = (place: {
  endpointId: unknown;
  verificationId: unknown;
  version: unknown;
}) => sql`max(${parameter('now')}, coalesce((
  select max(earlier.due_at) from ${webhookDeliveries} as earlier
  where earlier.verification_id = ${place.verificationId} and earlier.version < ${place.version}
    and earlier.endpoint_id = ${place.endpointId}
), 0))`;
