import { describe, expect, it, vi } from 'vitest';
import { givenFlow, walk } from '../../test-support/flow.ts';

const HOUR = 60 * 60 * 1000;

/** The answer to the link itself, without following it. */
async function openLink(given: Awaited<ReturnType<typeof givenFlow>>, link?: string): Promise<Response> {
  return given.app.request((link ?? (await given.link())).slice('/countersign'.length));
}

describe('the link', () => {
  it('changes nothing, sets a session for this verification only, and redirects to an address without the token', async () => {
    const given = await givenFlow();
    const before = await given.read();
    const response = await openLink(given);
    expect(response.status).toBe(303);
    expect(response.headers.get('Location')).toBe(given.address());
    const cookie = response.headers.get('Set-Cookie') ?? '';
    expect(cookie).toContain(`Path=${given.address()}`);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('Secure');
    expect(cookie).toContain('SameSite=Lax');
    expect(await given.read()).toEqual(before);
  });

  it.each([
    ['forged', (link: string) => `${link.slice(0, -3)}abc`],
    ['truncated', (link: string) => link.slice(0, -10)],
    ['without a token', (link: string) => link.slice(0, link.indexOf('.') + 1)],
    ['of an unknown verification', () => '/countersign/verify/unknown.token'],
  ])('%s: 404 without a session', async (_, change) => {
    const given = await givenFlow();
    const response = await openLink(given, change(await given.link()));
    expect(response.status).toBe(404);
    expect(response.headers.get('Set-Cookie')).toBeNull();
    expect(await response.text()).toContain('This link is not valid');
  });

  it('expired: 410 without a session', async () => {
    const given = await givenFlow();
    const link = await given.link();
    given.clock.advance(30 * 24 * HOUR);
    const response = await openLink(given, link);
    expect(response.status).toBe(410);
    expect(await response.text()).toContain('This link has expired');
  });

  it('forged, over the rate limit of the address: 429', async () => {
    const given = await givenFlow();
    const link = await given.link();
    for (let tries = 0; tries < 100; tries += 1) expect((await openLink(given, `${link}x`)).status).toBe(404);
    const response = await openLink(given, `${link}x`);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await response.text()).toContain('Too many requests');
  });

  it('genuine: opens although its address sent too many forged links and calls without a key', async () => {
    const given = await givenFlow();
    const link = await given.link();
    for (let tries = 0; tries < 110; tries += 1) {
      await given.countersign.rateLimits.forAddress('192.0.2.1');
      await openLink(given, `${link}x`);
    }
    expect((await openLink(given)).status).toBe(303);
  });

  it('genuine, opened too often: 429 for this link only', async () => {
    const given = await givenFlow();
    for (let opened = 0; opened < 300; opened += 1) expect((await openLink(given)).status).toBe(303);
    expect((await openLink(given)).status).toBe(429);
    const { remaining } = await given.countersign.rateLimits.forInvalidLink('192.0.2.1');
    expect(remaining).toBe(99);
    given.clock.advance(60_000);
    expect((await openLink(given)).status).toBe(303);
  });

  it('expired, opened too often: 429', async () => {
    const given = await givenFlow();
    const link = await given.link();
    given.clock.advance(30 * 24 * HOUR);
    for (let opened = 0; opened < 300; opened += 1) expect((await openLink(given, link)).status).toBe(410);
    expect((await openLink(given, link)).status).toBe(429);
  });

  it('forged links and pages without a session do not use up the calls without a key of their address', async () => {
    const given = await givenFlow();
    for (let tries = 0; tries < 110; tries += 1) {
      await openLink(given, `${await given.link()}x`);
      await given.app.request(`/verify/${given.id}`);
    }
    expect((await given.countersign.rateLimits.forAddress('192.0.2.1')).remaining).toBe(99);
  });
});

describe('a page without a session', () => {
  const open = async (given: Awaited<ReturnType<typeof givenFlow>>, cookie: string) =>
    given.app.request(`/verify/${given.id}`, { headers: { Cookie: cookie } });

  it('403: asks the subject to open the link again', async () => {
    const given = await givenFlow();
    const response = await open(given, '');
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Open your link again');
  });

  it.each([
    ['forged', (cookie: string) => `${cookie.slice(0, -2)}xx`],
    ['truncated', (cookie: string) => cookie.slice(0, -5)],
    ['of another link version', (cookie: string) => cookie.replace('=1.', '=2.')],
    ['of another time', (cookie: string) => cookie.replace(/\.\d+\./, '.1.')],
    ['empty', (cookie: string) => cookie.replace(/=.*/, '=')],
    ['a text', (cookie: string) => cookie.replace(/=.*/, '=%00')],
  ])('403 for a session that is %s', async (_, change) => {
    const given = await givenFlow();
    const cookie = (await openLink(given)).headers.get('Set-Cookie')?.split(';')[0] ?? '';
    expect((await open(given, cookie)).status).toBe(200);
    expect((await open(given, change(cookie))).status).toBe(403);
  });

  it.each([
    ['GET', ''],
    ['GET', '/consent'],
    ['POST', '/consent'],
    ['GET', '/files/unknown'],
    ['GET', '/phone/progress'],
    ['POST', '/data-copy'],
  ])('403 for a session of another verification, which saves nothing: %s %s', async (method, page) => {
    const given = await givenFlow();
    const { verifications, apiKeys } = given.countersign;
    const { value } = await apiKeys.issue(given.clientId, { permissions: ['*'] });
    const client = await given.countersign.authenticate(value);
    const { verification } = await verifications.create(client, {
      subjectType: 'kyc',
      subjectReference: 'user_2',
    });
    const before = await verifications.details(client, verification.id);
    const Cookie = (await openLink(given)).headers.get('Set-Cookie')?.split(';')[0] ?? '';
    const response = await given.app.request(`/verify/${verification.id}${page}`, {
      method,
      headers: { Cookie, 'Sec-Fetch-Site': 'same-origin' },
      ...(method === 'POST' && { body: new URLSearchParams({ accepted: 'true' }) }),
    });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('Open your link again');
    expect(await verifications.details(client, verification.id)).toEqual(before);
  });

  it('403 for a session that was unused for too long; use extends it', async () => {
    const given = await givenFlow();
    await given.start();
    for (let times = 0; times < 3; times += 1) {
      given.clock.advance(7 * HOUR);
      expect((await given.browser.open(given.address())).status).toBe(200);
    }
    given.clock.advance(8 * HOUR);
    expect((await given.browser.open(given.address())).status).toBe(403);
  });

  it('410 for a session whose link has expired', async () => {
    const given = await givenFlow();
    given.clock.advance(30 * 24 * HOUR - HOUR);
    await given.start();
    given.clock.advance(HOUR);
    const page = await given.browser.open(given.address());
    expect([page.status, page.heading]).toEqual([410, 'This link has expired']);
  });
});

it.each<[string, Record<string, string>]>([
  ['from another origin', { Origin: 'https://evil.example' }],
  ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
  ['from another host of the same site', { 'Sec-Fetch-Site': 'same-site' }],
  ['from an unknown place', {}],
])('a form %s gets 403, and nothing is saved', async (_, headers) => {
  const given = await givenFlow();
  const cookie = (await openLink(given)).headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const before = await given.read();
  const body = new URLSearchParams({ accepted: 'true' });
  const path = `/verify/${given.id}/consent`;
  const response = await given.app.request(path, {
    method: 'POST',
    headers: { Cookie: cookie, ...headers },
    body,
  });
  expect(response.status).toBe(403);
  expect(await given.read()).toEqual(before);
});

describe('requests with a session', () => {
  it('requests with a session are limited by verification; over the limit saved answers stay', async () => {
    const given = await givenFlow({ flowVersion: 1 });
    const { end } = await walk(given, await given.start(), 'name');
    let status = 200;
    for (let requests = 0; requests < 300 && status === 200; requests += 1) {
      status = (await given.browser.open(given.address())).status;
    }
    expect(status).toBe(429);
    expect((await given.browser.submit(end, { firstName: 'A', lastName: 'B' })).heading).toBe('Too many requests');
    given.clock.advance(60_000);
    expect((await given.browser.submit(end, { firstName: 'A', lastName: 'B' })).status).toBe(200);
  });
});

it.each([undefined, 'consent'])('a request of the page %s checks its session once', async (slug) => {
  const given = await givenFlow();
  await given.start();
  const counted = vi.spyOn(given.countersign.rateLimits, 'forSubject');
  const read = vi.spyOn(given.countersign.subject, 'read');
  await given.browser.open(given.address(slug));
  expect(counted).toHaveBeenCalledTimes(1);
  expect(read).toHaveBeenCalledTimes(1);
});
