import { connectRedis } from './redis-connection.ts';
import { within } from './store-down-detector.ts';

/** What `countersign doctor` reports about a Redis server. */
export interface RedisFacts {
  /** `host:port`. */
  readonly host: string;
  /** The server's version: `7.0.15`. */
  readonly serverVersion: string;
  /** Its clock minus this process's, in ms: positive if it is ahead. Exact to half a round trip. */
  readonly clockDifferenceMs: number;
  /** The shortest of three measurements. */
  readonly roundTripMs: number;
}

const DEFAULT_PORT = '6379';

/**
 * Reads the version and the time of a Redis server. Writes nothing.
 * @throws {TypeError} if the URL is not a Redis URL
 * @throws {Error} with a message of one line, if the server does not answer before the deadline
 */
export async function inspectRedis({
  url,
  deadlineMs = 2_000,
}: {
  readonly url: string;
  /** Default: 2,000. */
  readonly deadlineMs?: number;
}): Promise<RedisFacts> {
  const { client, run, close } = connectRedis(url, deadlineMs);
  try {
    const facts = run(async () => {
      const info = await client.info('server');
      let best = { clockDifferenceMs: 0, roundTripMs: Number.POSITIVE_INFINITY };
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const measured = await compareClocks(() => client.time());
        if (measured.roundTripMs < best.roundTripMs) best = measured;
      }
      return { serverVersion: /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown', ...best };
    });
    const { hostname, port } = new URL(url);
    return { host: `${hostname}:${port || DEFAULT_PORT}`, ...(await within(deadlineMs, facts)) };
  } finally {
    await close();
  }
}

/** Assumes that the server read its clock in the middle of the round trip. */
async function compareClocks(
  time: () => Promise<(string | number)[]>,
): Promise<{ clockDifferenceMs: number; roundTripMs: number }> {
  const [before, start] = [Date.now(), performance.now()];
  const [seconds, microseconds] = await time();
  const roundTripMs = performance.now() - start;
  const moment = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  const rounded = (ms: number): number => Math.round(ms * 10) / 10;
  return {
    clockDifferenceMs: rounded(moment - (before + roundTripMs / 2)),
    roundTripMs: rounded(roundTripMs),
  };
}
