import type { WebhookEndpoint } from '../src/webhooks/webhook-endpoint.ts';
import { NOW } from './verifications.ts';

/** An active endpoint with its first secret. */
export function anEndpoint(given: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return {
    id: 'endpoint-1',
    clientId: 'client-1',
    url: 'https://shop.example/hooks',
    name: '',
    types: ['verification.approved'],
    state: 'active',
    since: NOW,
    createdAt: NOW,
    createdBy: null,
    secret: { value: 'whsec_bmV3', wrappedBy: null },
    secretVersion: 1,
    previousSecret: null,
    olderSecret: null,
    failingSince: null,
    ...given,
  };
}
