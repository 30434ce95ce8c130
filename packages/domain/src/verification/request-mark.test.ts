import { expect, it } from 'vitest';
import type { Secrets } from '../runtime.ts';
import { markOf } from './request-mark.ts';

const secrets: Secrets = {
  randomHex: () => '',
  randomBase64: () => '',
  sha256: (text) => `sha256 of ${text}`,
  sign: (text) => `signed ${text}`,
  verify: (text, signature) => signature === `signed ${text}`,
  label: () => '',
};

const REQUEST = { subjectType: 'kyc', subjectReference: 'user_1', metadata: {} } as const;
const WITH_MAIL = { ...REQUEST, notify: { email: 'ada@example.org' } };

it('markOf: a fingerprint is of its own request alone', () => {
  const [mark, withMail] = [REQUEST, WITH_MAIL].map((request) => markOf('client-1', 'key-1', request, secrets));
  expect(mark?.isOf(mark.fingerprint)).toBe(true);
  expect(withMail?.isOf(withMail.fingerprint)).toBe(true);
  expect(mark?.isOf(withMail?.fingerprint ?? null)).toBe(false);
  expect(withMail?.isOf(mark?.fingerprint ?? null)).toBe(false);
});

it.each([
  ['client-2', 'key-1'],
  ['client-1', 'key-2'],
])('markOf: the fingerprint of a request with an address differs by client and key: %s, %s', (clientId, key) => {
  const { fingerprint } = markOf('client-1', 'key-1', WITH_MAIL, secrets);
  expect(markOf(clientId, key, WITH_MAIL, secrets).isOf(fingerprint)).toBe(false);
});

it.each([REQUEST, WITH_MAIL])(
  'markOf: a stored verification without a fingerprint is of no request: %j',
  (request) => {
    expect(markOf('client-1', 'key-1', request, secrets).isOf(null)).toBe(false);
  },
);

it('markOf: a signature without the mark of a keyed fingerprint is of no request', () => {
  const mark = markOf('client-1', 'key-1', WITH_MAIL, secrets);
  expect(mark.isOf(mark.fingerprint.replace('hmac:', 'other'))).toBe(false);
});
