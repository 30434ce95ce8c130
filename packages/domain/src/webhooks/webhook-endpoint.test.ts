import { expect, it } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { anEndpoint } from '../../test-support/webhook-endpoint.ts';
import {
  isPausedAfterFailures,
  isReadable,
  newWebhookSecret,
  rotatedSecrets,
  signingSecrets,
} from './webhook-endpoint.ts';

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

it('rotatedSecrets: unreadable secrets do not sign any longer, and take no place', () => {
  const validUntil = new Date(NOW.getTime() + 1);
  const unreadable = {
    wrappedBy: 'lost',
    validUntil,
    get value(): string {
      throw new Error('the key is lost');
    },
  };
  const olderSecret = { value: 'whsec_b2xk', wrappedBy: null, validUntil };
  expect([unreadable, olderSecret].map(isReadable)).toEqual([false, true]);
  const endpoint = anEndpoint({ secret: unreadable, previousSecret: unreadable, olderSecret, secretVersion: 4 });
  expect(rotatedSecrets(endpoint, 'whsec_bmV4dA==', NOW)).toEqual({
    secret: { value: 'whsec_bmV4dA==', wrappedBy: null },
    secretVersion: 5,
    previousSecret: olderSecret,
    olderSecret: null,
  });
});

it.each([
  ['paused', NOW, true],
  ['paused', null, false],
  ['active', NOW, false],
] as const)(
  'isPausedAfterFailures: an endpoint that is %s, failing since %j, gives %s',
  (state, failingSince, paused) => {
    expect(isPausedAfterFailures({ state, failingSince })).toBe(paused);
  },
);
