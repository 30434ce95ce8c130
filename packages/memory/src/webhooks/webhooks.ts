import type { WebhookRepository } from '@countersign/domain/storage';
import type { Tables } from '../tables.ts';
import { createEndpoints } from './endpoints.ts';
import { createFanOut } from './fan-out.ts';
import { createLog } from './log.ts';
import { createSecrets } from './secrets.ts';
import { createSending } from './sending.ts';

/** Creates the endpoints and deliveries of the storage in memory. Each operation runs without interruption. */
export function createWebhooks(tables: Tables): WebhookRepository {
  return {
    ...createEndpoints(tables),
    ...createSending(tables),
    ...createLog(tables),
    ...createSecrets(tables),
    fanOut: createFanOut(tables),
  };
}
