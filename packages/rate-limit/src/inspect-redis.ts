import { within } from './patience.ts';
import { connectRedis } from './redis-connection.ts';

/** What an operator wants to know of a Redis (`countersign doctor`). */
export interface RedisFacts {
  /** `host:port`. */
  readonly host: string;
  /** As the server writes it: `7.0.15`. */
  readonly serverVersion: string;
  /** Its clock minus this process's, in ms: positive where it is ahead. Exact to half a round trip. */
  readonly clockDifferenceMs: number;
  /** The shortest of three. */
  readonly roundTripMs: number;
}

const DEFAULT_PORT = '6379';

/**
 * Asks a Redis for its version and its time, and writes nothing.
 * @throws {TypeError} if the URL is not one of Redis
 * @throws {Error} with one clear line, at the deadline at the latest, if it does not answer
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

/** Takes the server's time as read in the middle of the round trip. */
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
