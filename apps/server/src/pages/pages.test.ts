import { CountersignError } from '@countersign/domain';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type LocalServer, startLocalServer } from '../given/local-server.ts';

let local: LocalServer;
afterEach(() => local.close());

async function start(options?: Parameters<typeof startLocalServer>[0]): Promise<void> {
  local = await startLocalServer(options);
}

const requestLines = () => local.log().filter(({ msg }) => msg === 'request');

describe('/verify', () => {
  async function newLink(): Promise<string> {
    const principal = await local.countersign.authenticate(await local.newKey());
    const input = { subjectType: 'kyc', subjectReference: 'user_1' };
    const { verification } = await local.countersign.verifications.create(principal, input);
    return verification.verificationUrl.replace('https://verify.example', local.origin);
  }

  test('a genuine link says what it is, changes nothing and is kept nowhere', async () => {
    await start();
    const link = await newLink();

    const response = await fetch(link);

    expect(response.status).toBe(200);
    expect(await response.text()).toContain('This link is genuine');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringContaining('text/html'),
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'self'; /),
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(requestLines()).toEqual([expect.objectContaining({ path: '/verify/{reference}', status: 200 })]);
    expect(local.logText()).not.toContain(link.slice(link.lastIndexOf('.')));
  });

  test('its page loads one stylesheet, from here, and nothing else', async () => {
    await start();
    const link = await newLink();
    const text = await (await fetch(link)).text();
    expect(text).not.toMatch(/<script|<style|style=|<img|https?:/);
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const style = await fetch(new URL(href, link));
    expect(style.status).toBe(200);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await style.text()).not.toMatch(/url\(|@import/);
  });

  test('a forged, an incomplete and an unknown link are all the same page', async () => {
    await start();
    const link = await newLink();
    const other = '0198c0de-0000-7000-8000-000000000000';
    const texts = new Set<string>();
    for (const wrong of [
      link.slice(0, -1),
      `${link}A`,
      link.slice(0, link.lastIndexOf('.')),
      link.replace(/[0-9a-f-]{36}/, other),
      `${local.origin}/verify/nonsense`,
      `${local.origin}/verify/%00.%00`,
      `${local.origin}/verify/%ff.x`,
    ]) {
      const response = await fetch(wrong);
      expect(response.status, wrong).toBe(404);
      texts.add(await response.text());
    }
    expect([...texts]).toEqual([expect.stringContaining('This link is not valid')]);
  });

  test('an expired link is gone', async () => {
    await start();
    const link = await newLink();
    vi.useFakeTimers({ now: Date.now() + 31 * 24 * 60 * 60 * 1000, toFake: ['Date'] });
    try {
      const response = await fetch(link);
      expect(response.status).toBe(410);
      expect(await response.text()).toContain('This link has expired');
    } finally {
      vi.useRealTimers();
    }
  });

  test('without storage it asks to try again, and the fault is in the log with the id of the request', async () => {
    await start();
    const link = await newLink();
    const failing = vi.spyOn(local.countersign.subject, 'open');
    failing.mockRejectedValue(new CountersignError('SERVICE_UNAVAILABLE', 'locked'));

    const response = await fetch(link);

    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.text()).toContain('Nothing is lost');
    const requestId = response.headers.get('x-request-id');
    expect(local.log()).toContainEqual(
      expect.objectContaining({ msg: 'fault', requestId, path: '/verify/{reference}' }),
    );
  });
});

test('a browser that asks for an icon gets none, without a fuss', async () => {
  await start();
  expect((await fetch(`${local.origin}/favicon.ico`)).status).toBe(204);
  const response = await fetch(`${local.origin}/nowhere`);
  expect(response.headers.get('x-ratelimit-remaining')).toBe('99');
});

test('/ says what this is', async () => {
  await start();
  const response = await fetch(local.origin);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<a href="./docs">');
});
