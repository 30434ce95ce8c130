import { expect, it } from 'vitest';
import { newWebhookSecret, signingSecrets, type WebhookEndpoint } from './webhook-endpoint.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const endpoint: WebhookEndpoint = {
  id: 'endpoint-1',
  clientId: 'client-1',
  url: 'https://shop.example/hooks',
  name: '',
  types: ['verification.approved'],
  state: 'active',
  since: now,
  createdAt: now,
  createdBy: null,
  secret: { value: 'whsec_bmV3', wrappedBy: null },
  secretVersion: 1,
  previousSecret: null,
  olderSecret: null,
  failingSince: null,
};

it('newWebhookSecret: 32 random bytes as Standard Webhooks writes them', () => {
  expect(newWebhookSecret({ randomBase64: (bytes) => `base64 of ${bytes}` })).toBe('whsec_base64 of 32');
});

it('signingSecrets: the previous secret signs as well until its end, exclusive', () => {
  const { secret } = endpoint;
  const previousSecret = { value: 'whsec_b2xk', wrappedBy: null, validUntil: new Date(now.getTime() + 1) };
  expect(signingSecrets(endpoint, now)).toEqual([secret]);
  expect(signingSecrets({ ...endpoint, previousSecret }, now)).toEqual([secret, previousSecret]);
  expect(signingSecrets({ ...endpoint, previousSecret }, previousSecret.validUntil)).toEqual([secret]);
});
