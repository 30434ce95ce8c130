import type { EndpointState } from '@countersign/domain/webhooks';
import { parameter, prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { and, eq, gt, isNotNull, sql } from '../../drizzle.ts';
import { webhookDeliveries, webhookEndpoints } from '../../webhook-tables.ts';

/** Changes of what waits for an endpoint. All run inside the caller's transaction. */
export interface WaitingDeliveries {
  /** Makes waiting deliveries follow a new state of their endpoint: due at once, or failed. */
  follow(endpointId: string, change: { before: string; after: EndpointState; now: number }): void;
  /** Sets when the endpoint is due: with its first waiting delivery. */
  refresh(endpointId: string): void;
}

export function createWaitingDeliveries({ db }: Pick<Session, 'db'>): WaitingDeliveries {
  const ofEndpoint = eq(webhookDeliveries.endpointId, parameter('endpointId'));
  const makeDue = prepared(
    db
      .update(webhookDeliveries)
      .set({ dueAt: parameter('now') })
      .where(and(ofEndpoint, gt(webhookDeliveries.dueAt, parameter('now')))),
  );
  const giveUp = prepared(
    db
      .update(webhookDeliveries)
      .set({ state: 'failed', dueAt: null })
      .where(and(ofEndpoint, isNotNull(webhookDeliveries.dueAt))),
  );
  const firstDue = sql`(select min(${webhookDeliveries.dueAt}) from ${webhookDeliveries} where ${and(ofEndpoint, isNotNull(webhookDeliveries.dueAt))})`;
  const refresh = prepared(
    db
      .update(webhookEndpoints)
      .set({ dueAt: firstDue })
      .where(
        and(eq(webhookEndpoints.id, parameter('endpointId')), sql`${webhookEndpoints.dueAt} is not ${firstDue}`),
      ),
  );

  return {
    follow(endpointId, { before, after, now }) {
      if (before === after) return;
      if (after === 'active') makeDue.run({ endpointId, now });
      if (after === 'disabled') giveUp.run({ endpointId });
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
