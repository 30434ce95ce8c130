import { connect, createServer, type Server, type Socket } from 'node:net';
import { describeWith, startPostgres, startRedis } from '@countersign/test-support/servers';
import { expect, it, vi } from 'vitest';
import {
  createFailoverRateLimiter,
  createPostgresRateLimiter,
  createRedisRateLimiter,
  type SharedRateLimiter,
} from './index.ts';

const LIMIT = { requests: 100, windowSeconds: 60 };

/** A proxy whose connections can go silent without ending, as behind a router that dropped them. */
async function wayTo(target: string) {
  const { port, hostname } = new URL(target);
  const sockets: Socket[] = [];
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    near.pipe(far);
    far.pipe(near);
    for (const socket of [near, far]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(target);
  url.port = String(typeof address === 'object' ? address?.port : 0);
  return {
    url: url.href,
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function recovers(target: string, create: (url: string) => SharedRateLimiter): Promise<void> {
  const way = await wayTo(target);
  const told: string[] = [];
  const limiter = createFailoverRateLimiter({
    shared: create(way.url),
    onDown: () => told.push('down'),
    onUp: () => told.push('up'),
  });
  await limiter.ready();
  await limiter.consume('client:silent', LIMIT);
  way.silence();
  await limiter.consume('client:silent', LIMIT);
  const since = performance.now();
  await vi.waitUntil(() => told.length > 1, { timeout: 15_000, interval: 10 });
  expect(told).toEqual(['down', 'up']);
  expect(performance.now() - since).toBeLessThan(5_000);
  expect((await limiter.consume('client:silent', LIMIT)).remaining).toBeLessThan(99);
  await limiter.close();
  await way.close();
}

describeWith(['redis'], 'a connection to Redis that has gone silent', () => {
  it('is replaced', async () => {
    const server = await startRedis({ own: true });
    await recovers(server.url, (url) => createRedisRateLimiter({ url }));
    await server.stop();
  });
});

describeWith(['postgres'], 'connections to Postgres that have gone silent', () => {
  it('are replaced', async () => {
    const server = await startPostgres({ own: true, fsync: false });
    await recovers(await server.createDatabase(), (url) => createPostgresRateLimiter({ url }));
    await server.stop();
  });
});
