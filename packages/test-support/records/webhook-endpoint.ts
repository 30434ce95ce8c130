import type { WebhookEndpoint } from '@countersign/domain/webhooks';

/** An active endpoint for new verifications, added before all events, whose secret is not sealed. */
export function webhookEndpoint(
  given: Pick<WebhookEndpoint, 'clientId'> & Partial<WebhookEndpoint>,
): WebhookEndpoint {
  return {
    id: 'dddddddd-0000-7000-8000-000000000001',
    url: 'https://shop.example/webhooks',
    name: '',
    types: ['verification.created'],
    state: 'active',
    since: new Date(0),
    createdAt: new Date(0),
    createdBy: null,
    secret: { value: 'whsec_secret', wrappedBy: null },
    secretVersion: 1,
    previousSecret: null,
    olderSecret: null,
    failingSince: null,
    ...given,
  };
}
