import { expect, test } from 'vitest';
import { bannerText } from './banner.ts';

const options = {
  port: 8080,
  publicBaseUrl: 'http://localhost:8080',
  demo: undefined,
  demoStaff: undefined,
  uniqueSuffix: 'x',
};
const demo = { clientId: 'c1', key: 'csk_1', testKey: 'csk_2' };

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
  ['::1', 'http://[::1]:8080'],
  ['verify.internal', 'http://verify.internal:8080'],
])('bannerText: a server on %s prints a request to %s', (host, address) => {
  const text = bannerText({ ...options, host, demo });
  expect(text).toContain(`listens on ${address}\n`);
  for (const key of ['csk_1', 'csk_2']) {
    expect(text).toContain(`\ncurl -sS -X POST ${address}/api/v1/verifications -H 'X-API-Key: ${key}' `);
  }
});

test('bannerText: without a demo client prints no request', () => {
  const text = bannerText({ ...options, host: '127.0.0.1' });
  expect(text).toContain('API reference: http://localhost:8080/docs\n');
  expect(text).not.toContain('curl');
});

test('bannerText: prints each sign-in link on its own line', () => {
  const team = { email: 'team@demo.example', signInUrl: 'http://localhost:8080/account/welcome/t' };
  const operator = { email: 'operator@demo.example', signInUrl: 'http://localhost:8080/account/welcome/o' };
  const text = bannerText({ ...options, host: '127.0.0.1', demoStaff: { team, operator } });
  for (const { email, signInUrl } of [team, operator]) {
    expect(text).toContain(email);
    expect(text.split('\n')).toContain(`  ${signInUrl}`);
  }
});
