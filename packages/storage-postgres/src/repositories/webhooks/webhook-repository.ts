import type { WebhookRepository } from '@countersign/domain/storage';
import type { Session } from '../../connection/session.ts';
import { createEndpoints } from './endpoints.ts';
import { createFanOut } from './fan-out.ts';
import { createLog } from './log.ts';
import { createSecrets } from './secrets.ts';
import { createSending } from './sending.ts';
import { createSettle } from './settling.ts';

/**
 * Creates the repository of webhooks. Each statement locks clients first, then endpoints, then events and deliveries, so that
 * any number of workers wait for each other in one order.
 */
export function createWebhookRepository(session: Session): WebhookRepository {
  return {
    ...createEndpoints(session),
    fanOut: createFanOut(session),
    ...createSending(session),
    settle: createSettle(session),
    ...createLog(session),
    ...createSecrets(session),
  };
}
