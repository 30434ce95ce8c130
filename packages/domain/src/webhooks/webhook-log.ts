import { CountersignError } from '../errors.ts';
import type { Clock } from '../runtime.ts';
import type { BoundedCount } from '../subscription/bounded-count.ts';
import { invalidPosition, parsePosition, positionText } from '../verification/page-position.ts';
import { findEndpoint, unknownEndpoint } from './manage-webhooks.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import type { Attempt, DeliveryEntry, DeliveryState, WebhookRepository } from './webhook-repository.ts';

/** Deliveries on one page of the log. */
export const LOG_PAGE = 25;

/** How many deliveries of a state `WebhookLog.refused` looks at. */
export const COUNTED_REFUSALS = 100;

/** A page of the log, and the position after its last delivery; null if it is the last page. */
export interface DeliveryPage {
  readonly deliveries: readonly DeliveryEntry[];
  readonly next: string | null;
}

/** Shows what was sent to the endpoints of a client, and sends it again. Another client's endpoint is not found. */
export interface WebhookLog {
  /**
   * Lists deliveries, newest event first.
   * @param request.after the `next` of the page before
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`, `INVALID_PARAMETERS` at `after`
   */
  deliveries(
    clientId: string,
    endpointId: string,
    request: { readonly state?: DeliveryState | undefined; readonly after?: string | undefined },
  ): Promise<DeliveryPage>;
  /**
   * Counts the events that a failing endpoint refused and has not received: deliveries that wait after an attempt, and failed ones
   * of events since `failingSince`. Looks at the newest `COUNTED_REFUSALS` of each.
   */
  refused(endpoint: Pick<WebhookEndpoint, 'clientId' | 'id' | 'failingSince'>): Promise<BoundedCount>;
  /**
   * Lists the attempts of a delivery, oldest first.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_DELIVERY_NOT_FOUND`
   */
  attempts(clientId: string, endpointId: string, eventId: string): Promise<readonly Attempt[]>;
  /**
   * Sends one delivery again, or all of events since a time. Deliveries that already wait stay unchanged. Returns the number sent again.
   * @throws CountersignError `WEBHOOK_ENDPOINT_NOT_FOUND`, `WEBHOOK_DELIVERY_NOT_FOUND`; `WEBHOOK_ENDPOINT_STATE` if the
   * endpoint is disabled
   */
  resend(
    clientId: string,
    endpointId: string,
    which: { readonly eventId: string } | { readonly since: Date },
  ): Promise<number>;
}

export function createWebhookLog({
  webhooks,
  clock,
}: {
  readonly webhooks: Pick<WebhookRepository, 'list' | 'deliveries' | 'attempts' | 'resend'>;
  readonly clock: Clock;
}): WebhookLog {
  async function attempts(clientId: string, endpointId: string, eventId: string): Promise<readonly Attempt[]> {
    await findEndpoint(webhooks, clientId, endpointId);
    const found = await webhooks.attempts(clientId, endpointId, eventId);
    if (found === null) throw new CountersignError('WEBHOOK_DELIVERY_NOT_FOUND');
    return found;
  }

  return {
    attempts,

    async refused({ clientId, id: endpointId, failingSince }) {
      if (failingSince === null) return { count: 0, isExact: true };
      const query = { clientId, endpointId, after: undefined, limit: COUNTED_REFUSALS + 1 };
      const [waiting, failed] = await Promise.all([
        webhooks.deliveries({ ...query, state: 'waiting' }),
        webhooks.deliveries({ ...query, state: 'failed' }),
      ]);
      const refused = [
        ...waiting.slice(0, COUNTED_REFUSALS).filter(({ attempts: tried }) => tried > 0),
        ...failed.slice(0, COUNTED_REFUSALS).filter(({ at }) => at >= failingSince),
      ];
      // Deliveries are listed by the time of their event, so that earlier failures come last.
      const earliest = failed[COUNTED_REFUSALS];
      const isExact = waiting.length <= COUNTED_REFUSALS && (earliest === undefined || earliest.at < failingSince);
      return { count: refused.length, isExact };
    },

    async deliveries(clientId, endpointId, { state, after }) {
      await findEndpoint(webhooks, clientId, endpointId);
      const found = await webhooks.deliveries({
        clientId,
        endpointId,
        state,
        after: after === undefined ? undefined : positionOf(after),
        limit: LOG_PAGE + 1,
      });
      const deliveries = found.slice(0, LOG_PAGE);
      const last = found.length > LOG_PAGE ? deliveries.at(-1) : undefined;
      return { deliveries, next: last === undefined ? null : positionText({ at: last.at, id: last.eventId }) };
    },

    async resend(clientId, endpointId, which) {
      if ('eventId' in which) await attempts(clientId, endpointId, which.eventId);
      const result = await webhooks.resend({ clientId, endpointId, which, now: clock.now() });
      switch (result.outcome) {
        case 'resent':
          return result.count;
        case 'disabled':
          throw new CountersignError('WEBHOOK_ENDPOINT_STATE');
        case 'not_found':
          throw unknownEndpoint();
        default:
          return result satisfies never;
      }
    },
  };
}

/** Where the next page begins. @throws CountersignError `INVALID_PARAMETERS` */
function positionOf(text: string): { readonly at: Date; readonly eventId: string } {
  const { at, id } = parsePosition(text);
  if (at === null) throw invalidPosition();
  return { at, eventId: id };
}
