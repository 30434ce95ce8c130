import { describeWith, type RedisServer, startRedis } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspectRedis } from './index.ts';

describeWith(['redis'], 'inspectRedis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({ own: true, settings: { requirepass: 'hidden' } });
  });
  afterAll(() => server.stop());

  it('reports version and clock difference, without the password', async () => {
    const facts = await inspectRedis({ url: server.url });
    expect(facts).toEqual({
      host: `127.0.0.1:${new URL(server.url).port}`,
      serverVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      clockDifferenceMs: expect.any(Number),
      roundTripMs: expect.any(Number),
    });
    // Test and server share a clock.
    expect(Math.abs(facts.clockDifferenceMs)).toBeLessThan(100 + facts.roundTripMs);
  });

  it.each([
    ['a wrong password', (url: string) => url.replace('hidden', 'canary'), /WRONGPASS/],
    ['a port where nothing listens', () => 'redis://:canary@127.0.0.1:1', /ECONNREFUSED/],
  ])('%s is one line without the password', async (_, wrong, line) => {
    const failed = inspectRedis({ url: wrong(server.url) });
    await expect(failed).rejects.toThrow(line);
    await expect(failed).rejects.toThrow(/^Redis does not count requests: (?!.*(?:canary|hidden))[^\n]+$/);
  });

  it('a frozen Redis rejects at the deadline', async () => {
    server.freeze();
    try {
      await expect(inspectRedis({ url: server.url, deadlineMs: 200 })).rejects.toThrow(/timed out|within 200 ms/i);
    } finally {
      server.thaw();
    }
  });
});
