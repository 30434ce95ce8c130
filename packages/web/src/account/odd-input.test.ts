import { createMemoryMailer } from '@countersign/memory';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { CLARA, type GivenConsole, givenConsole, PASSWORD } from '../../test-support/console.ts';

const PATHS = [
  'sign-in',
  'second-factor',
  'welcome/token',
  'welcome/%E0%A4%A',
  'welcome/clara.zzzzzzzz.%00',
  'lost-device/token',
  'lost-device/%E0%A4%A',
  'forgot-password',
  'confirm',
  'security/begin',
  'security/confirm',
  'security/remove',
  'sign-out',
  'nothing-here',
];
const NAMES = [
  'email',
  'password',
  'code',
  'repeat',
  'returnTo',
  'uri',
  'secret',
  'backupCodes',
  'saved',
  '__proto__',
];
const VALUES = [
  '',
  ' ',
  'true',
  PASSWORD,
  '漢'.repeat(999),
  '🔐'.repeat(500),
  'x'.repeat(40_000),
  '\u0000',
  '\ud800',
  '%',
  '\r\n',
  '/漢字',
  '/\u202e',
  'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP',
  'JBSWY3DPEHPK3PXP',
  'alpha-1111',
  'a@b.example',
  "x' or 1=1 --@example.com",
];
const TYPES = [
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-16',
  'multipart/form-data; boundary=x',
  'application/json',
  'text/plain',
  '',
];

const RUNS = 500;

let given: GivenConsole;

beforeEach(async () => {
  given = await givenConsole({}, {}, { mailer: createMemoryMailer() });
});

it(`account forms: ${RUNS} odd requests are answered without a fault`, { timeout: 120_000 }, async () => {
  const field = fc.tuple(
    fc.constantFrom(...NAMES),
    fc.oneof(fc.constantFrom(...VALUES), fc.string({ unit: 'binary', maxLength: 300 })),
  );
  const odd = fc.record({
    path: fc.constantFrom(...PATHS),
    method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
    // Fields may repeat.
    fields: fc.array(field, { maxLength: 8 }),
    type: fc.oneof({ weight: 5, arbitrary: fc.constant(TYPES[0] ?? '') }, fc.constantFrom(...TYPES)),
    query: fc.constantFrom('', '?returnTo=%2F%E6%BC%A2', '?returnTo=%', '?done=__proto__', '?needed=1&needed=2'),
    isSignedIn: fc.boolean(),
    cookie: fc.constantFrom('', 'staff=', 'staff=%', 'challenge=%00', ';;;=', `x=${'y'.repeat(3_000)}`),
    language: fc.constantFrom('de', 'en', '漢;q=2'.slice(1), '*'),
  });
  await fc.assert(
    fc.asyncProperty(odd, async ({ path, method, fields, type, query, isSignedIn, cookie, language }) => {
      // The requests of a user are limited for each minute.
      given.ports.clock.advance(1_000);
      const mayHaveBody = method !== 'GET' && method !== 'HEAD';
      const headers = new Headers({ 'Sec-Fetch-Site': 'same-origin', 'Accept-Language': language });
      if (mayHaveBody && type !== '') headers.set('Content-Type', type);
      headers.set('Cookie', isSignedIn ? `${given.accounts.signedIn(CLARA)}; ${cookie}` : cookie);
      const body = mayHaveBody ? new URLSearchParams(fields).toString() : null;
      const response = await given.ask(`/account/${path}${query}`, null, { method, headers, body });
      expect(response.status).toBeLessThan(500);
      await response.text();
    }),
    { numRuns: RUNS },
  );
  expect(given.faults).toEqual([]);
});
