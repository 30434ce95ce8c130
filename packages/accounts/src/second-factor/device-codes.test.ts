import { expect, it } from 'vitest';
import { isDeviceCode, newDeviceSecret, setUpOf } from './device-codes.ts';

/** RFC 6238, appendix B: at 59 seconds, the device of this secret shows 94287082, of which six digits are used. */
const SECRET = '12345678901234567890';
const CODE = '287082';

it.each([
  [0, true],
  [59, true],
  [89, true],
  [90, false],
  [600, false],
])('device codes: the code of second 59 at second %i: %s', async (second, isRight) => {
  // Its step lasts from 30 to 59; one step before and one after it are accepted.
  expect(await isDeviceCode(SECRET, CODE, new Date(second * 1_000))).toBe(isRight);
});

it('device codes: another code, and one of another length, is wrong', async () => {
  const at = new Date(59_000);
  for (const code of ['287083', '28708', '94287082', '']) expect(await isDeviceCode(SECRET, code, at)).toBe(false);
});

it('device codes: a device gets the secret in Base32, by itself and in the URI with the names', async () => {
  const { secret, uri } = await setUpOf(SECRET, { issuer: 'Acme & Co', email: 'ann@example.com' });
  expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const { protocol, host, pathname, searchParams } = new URL(uri);
  expect([protocol, host, decodeURIComponent(pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Acme & Co:ann@example.com',
  ]);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    secret,
    issuer: 'Acme & Co',
    digits: '6',
    period: '30',
  });
});

it('device codes: each new secret is another text of 32 characters', () => {
  const secrets = Array.from({ length: 10 }, newDeviceSecret);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{32}$/);
  expect(new Set(secrets).size).toBe(10);
});
