// Waits until silent connections reach their deadline.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, startPostgres, startRedis } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';
import {
  createFailoverRateLimiter,
  createPostgresRateLimiter,
  createRedisRateLimiter,
  type SharedRateLimiter,
} from './index.ts';

const LIMIT = { requests: 100, windowSeconds: 60 };

/** A proxy whose connections can go silent without closing, as behind a router that dropped them. */
async function createMutableProxy(target: string) {
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

async function expectRecovery(target: string, create: (url: string) => SharedRateLimiter): Promise<void> {
  const proxy = await createMutableProxy(target);
  const reports: string[] = [];
  const limiter = createFailoverRateLimiter({
    shared: create(proxy.url),
    onDown: () => reports.push('down'),
    onUp: () => reports.push('up'),
  });
  await limiter.ready();
  await limiter.consume('client:silent', LIMIT);
  proxy.silence();
  await limiter.consume('client:silent', LIMIT);
  await until(() => reports.length > 1);
  expect(reports).toEqual(['down', 'up']);
  expect((await limiter.consume('client:silent', LIMIT)).remaining).toBeLessThan(99);
  await limiter.close();
  await proxy.close();
}

describeWith(['redis'], 'a silent connection to Redis', () => {
  it('a silent connection to Redis is replaced', async () => {
    const server = await startRedis({ own: true });
    await expectRecovery(server.url, (url) => createRedisRateLimiter({ url }));
    await server.stop();
  });
});

describeWith(['postgres'], 'silent connections to Postgres', () => {
  it('silent connections to Postgres are replaced', async () => {
    const server = await startPostgres({ own: true, fsync: false });
    await expectRecovery(await server.createDatabase(), (url) => createPostgresRateLimiter({ url }));
    await server.stop();
  });
});
