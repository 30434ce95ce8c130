import { createManageWebhooks, type ManageWebhooks, type ManageWebhooksPorts } from './manage-webhooks.ts';
import { createWebhookLog, type WebhookLog } from './webhook-log.ts';
import type { WebhookRepository } from './webhook-repository.ts';

/** The use cases of webhooks. */
export interface WebhookServices {
  readonly management: ManageWebhooks;
  readonly log: WebhookLog;
  /** Returns whether the client had an endpoint at a time. */
  hadEndpoint(clientId: string, at: Date): Promise<boolean>;
}

/** Creates the use cases of webhooks on their ports. */
export function createWebhookServices(
  ports: ManageWebhooksPorts & { readonly webhooks: WebhookRepository },
  settings: { readonly allowsHttp: boolean },
): WebhookServices {
  return {
    management: createManageWebhooks(ports, settings),
    log: createWebhookLog(ports),
    hadEndpoint: async (clientId, at) =>
      (await ports.webhooks.list(clientId)).some(({ createdAt }) => createdAt <= at),
  };
}
