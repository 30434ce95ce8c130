import type { WebhookRepository } from '@countersign/domain/storage';
import type { Session } from '../../connection/session.ts';
import { createEndpoints } from './endpoints.ts';
import { createFanOut } from './fan-out.ts';
import { createLog } from './log.ts';
import { createSecrets } from './secrets.ts';
import { createSending } from './sending.ts';

export function createWebhookRepository(session: Session): WebhookRepository {
  return {
    ...createEndpoints(session),
    ...createSending(session),
    ...createLog(session),
    ...createSecrets(session),
    fanOut: createFanOut(session),
  };
}
