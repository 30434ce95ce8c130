import { expect, it } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { anEndpoint } from '../../test-support/webhook-endpoint.ts';
import { newWebhookSecret, signingSecrets } from './webhook-endpoint.ts';

it('newWebhookSecret: 32 random bytes as Standard Webhooks writes them', () => {
  expect(newWebhookSecret({ randomBase64: (bytes) => `base64 of ${bytes}` })).toBe('whsec_base64 of 32');
});

it('signingSecrets: the previous secret signs as well until its end, exclusive', () => {
  const previousSecret = { value: 'whsec_b2xk', wrappedBy: null, validUntil: new Date(NOW.getTime() + 1) };
  const { secret } = anEndpoint();
  expect(signingSecrets(anEndpoint(), NOW)).toEqual([secret]);
  expect(signingSecrets(anEndpoint({ previousSecret }), NOW)).toEqual([secret, previousSecret]);
  expect(signingSecrets(anEndpoint({ previousSecret }), previousSecret.validUntil)).toEqual([secret]);
});
