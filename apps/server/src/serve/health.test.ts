import { describe, expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../../test-support/local-server.ts';

let local: LocalServer;

async function start(options?: Parameters<typeof startLocalServer>[0]): Promise<void> {
  local = await startLocalServer(options);
}

const requestLines = () => local.log().filter(({ msg }) => msg === 'request');

describe('health', () => {
  test('/healthz and /readyz answer 200 when storage answers', async () => {
    await start();
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ]) {
      const response = await fetch(local.origin + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toEqual({ status });
    }
    expect(requestLines()).toEqual([]);
  });

  test('/readyz answers 503 when storage fails, and the log has the reason', async () => {
    await start({ storage: { ping: () => Promise.reject(new TypeError('gone')) } });

    expect((await fetch(`${local.origin}/healthz`)).status).toBe(200);
    const response = await fetch(`${local.origin}/readyz`);

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'unavailable', notReady: ['database'] });
    expect(local.log()).toContainEqual(expect.objectContaining({ msg: 'fault', error: expect.any(Object) }));
  });

  test('/readyz answers 503 when storage does not answer', async () => {
    await start({ storage: { ping: () => new Promise(() => undefined) } });

    const response = await fetch(`${local.origin}/readyz`);

    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'unavailable', notReady: ['database'] },
    ]);
  });

  test.each(['starting', 'stopping'] as const)(
    'health while the server is %s, /healthz answers 200 and /readyz 503',
    async (phase) => {
      await start();
      local.enter(phase);
      expect((await fetch(`${local.origin}/healthz`)).status).toBe(200);
      const response = await fetch(`${local.origin}/readyz`);
      expect(response.status).toBe(503);
      expect(await response.json()).toEqual({ status: phase });
    },
  );
});
