import { expect, it } from 'vitest';
import { verdictOf } from './response.ts';

it('verdictOf: every status from 200 to 299 accepts a webhook', () => {
  for (const status of [200, 204, 299]) expect(verdictOf(status)).toBe('accepted');
});

it('verdictOf: 410 wants no more webhooks', () => {
  expect(verdictOf(410)).toBe('gone');
});

it('verdictOf: redirects, other statuses and no response have failed', () => {
  for (const status of [null, 199, 300, 302, 400, 404, 429, 503]) expect(verdictOf(status)).toBe('failed');
});
