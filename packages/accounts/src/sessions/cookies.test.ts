import { createHmac } from 'node:crypto';
import { CONFIRMED_MS } from '@countersign/domain/staff';
import { expect, it } from 'vitest';
import { createConfirmations, createCookieJar } from './cookies.ts';

const secretOf = (version: number) => ({ version, value: `secret ${version}` });
const [NEWEST, OLDER, OTHER] = [secretOf(1), secretOf(2), secretOf(3)];

const jarAt = (publicBaseUrl: string) => createCookieJar(publicBaseUrl, [NEWEST, OLDER]);
const jar = jarAt('https://verify.example/kyc');
const { session, device, signOn, passkey } = jar.names;

/** The header with which a browser returns a cookie. */
const returned = (setCookie: string): string => setCookie.split(';')[0] ?? '';

it.each([
  ['https://verify.example', '__Secure-countersign.session_token', 'Path=/; HttpOnly; Secure; SameSite=Lax'],
  [
    'https://verify.example/kyc//',
    '__Secure-countersign.session_token',
    'Path=/kyc; HttpOnly; Secure; SameSite=Lax',
  ],
  ['http://localhost:3000/kyc', 'countersign.session_token', 'Path=/kyc; HttpOnly; SameSite=Lax'],
])('cookies of %s: name and attributes', (publicBaseUrl, name, attributes) => {
  const cookies = jarAt(publicBaseUrl);
  expect(cookies.names.session).toBe(name);
  expect(cookies.keep(name, 'token', 60)).toMatch(/^[^=]+=token\.[^;]+; Max-Age=60; /);
  expect(cookies.keep(name, 'token', 60).split('; Max-Age=60; ')[1]).toBe(attributes);
  expect(cookies.removal(name)).toBe(`${name}=; Max-Age=0; ${attributes}`);
});

it('cookies: the signature is the same as on earlier servers', () => {
  const signature = createHmac('sha256', NEWEST.value).update('token').digest('base64');
  expect(returned(jar.keep(session, 'token', 60))).toBe(`${session}=${encodeURIComponent(`token.${signature}`)}`);
});

it('cookies: a value signed by any secret of the ring is read, also beside others of the same name', () => {
  const older = createCookieJar('https://verify.example/kyc', [OLDER]);
  expect(jar.read(returned(older.keep(session, 'a.b', 60)), session)).toBe('a.b');
  const header = `a=b;  ${session}=forged.${'A'.repeat(43)}=; ${returned(jar.keep(session, 'token', 60))} ; z=1`;
  expect(jar.read(header, session)).toBe('token');
  expect(jar.read(header, device)).toBeNull();
});

it('cookies: an unsigned, forged or renamed value is not read', () => {
  const foreign = createCookieJar('https://verify.example/kyc', [OTHER]);
  const signatureOf = (value: string) =>
    encodeURIComponent(createHmac('sha256', NEWEST.value).update(value).digest('base64'));
  expect(jar.read(undefined, session)).toBeNull();
  for (const text of [
    returned(foreign.keep(session, 'token', 60)),
    returned(jar.removal(session)),
    `${session}=token`,
    `${session}=token.`,
    `${session}=token.AAAA`,
    `${session}=token.%`,
    `${session}=.${signatureOf('')}`,
    `x${returned(jar.keep(session, 'token', 60))}`,
    returned(jar.keep(session, 'token', 60)).replace(session, 'x'.repeat(session.length)),
  ]) {
    expect(jar.read(text, session)).toBeNull();
  }
});

it.each([signOn, passkey])('cookies: %s refuses the values of other cookies, which refuse its values', (name) => {
  const kept = returned(jar.keep(name, 'value', 60));
  expect(jar.read(kept, name)).toBe('value');
  expect(jar.read(kept.replace(name, session), session)).toBeNull();
  expect(jar.read(returned(jar.keep(session, 'value', 60)).replace(session, name), name)).toBeNull();
});

it('confirmations: only the latest one is valid, in its browser and for its session', () => {
  const confirmations = createConfirmations(jar);
  const at = new Date('2026-03-01T12:00:00.000Z');
  const given = confirmations.give('token', at);
  expect(given).toContain(`; Max-Age=${CONFIRMED_MS / 1_000};`);
  const header = returned(given);
  expect(confirmations.heldBy(header, 'token', at)).toBe(at);
  expect(confirmations.heldBy(header, 'token', null)).toBeNull();
  expect(confirmations.heldBy(header, 'other', at)).toBeNull();
  expect(confirmations.heldBy(header, 'token', new Date(at.getTime() + 1))).toBeNull();
  expect(confirmations.heldBy(undefined, 'token', at)).toBeNull();
});
