import type { Clock } from '../runtime.ts';
import type { WebhookRepository } from './webhook-repository.ts';

/** How long deliveries that do not wait, and their attempts, stay in the log. */
export const DELIVERIES_KEPT_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Deliveries deleted together: so few that other writes do not wait. */
const SLICE = 500;

/** Background job: deletes deliveries that are older than `DELIVERIES_KEPT_DAYS`. Returns their number. */
export type ForgetDeliveries = () => Promise<number>;

/** Creates the background job that deletes old webhooks from the log, after `DELIVERIES_KEPT_DAYS`. */
export function createForgetDeliveries({
  webhooks,
  clock,
}: {
  readonly webhooks: Pick<WebhookRepository, 'forget'>;
  readonly clock: Clock;
}): ForgetDeliveries {
  return async () => {
    const before = new Date(clock.now().getTime() - DELIVERIES_KEPT_DAYS * DAY_MS);
    let forgotten = 0;
    let count: number;
    do {
      count = await webhooks.forget({ before, limit: SLICE });
      forgotten += count;
    } while (count === SLICE);
    return forgotten;
  };
}
