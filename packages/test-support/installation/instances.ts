import type { NewClient } from '@countersign/domain/clients';
import { type ApiClient, createApiClient } from '../api/api-client.ts';
import type { Environment } from '../processes/child-process.ts';
import { type ServerOptions, type ServerProcess, startServer } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';
import { type GivenClient, givenClientOf, givenTestTwinOf } from './operator.ts';

/** One or more servers. */
export type Instances = readonly [ServerProcess, ...ServerProcess[]];

/** The settings that all servers of one service share, besides the database. */
const SERVICE: Environment = {
  SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
  PUBLIC_BASE_URL: 'https://verify.example',
};

/** Starts servers that form one service. Each has its own data directory; they share only the environment. */
export async function startInstances(
  count: number,
  env: Environment & { DATABASE_URL: string },
  options: Pick<ServerOptions, 'rateLimits'> = {},
): Promise<Instances> {
  const starts = Array.from({ length: count }, () => startServer({ ...options, env: { ...SERVICE, ...env } }));
  return (await Promise.all(starts)) as [ServerProcess, ...ServerProcess[]];
}

const LIMITS_DOWN = /^.*shared rate limits are down, counting locally.*$/gm;
const LIMITS_BACK = /^.*shared rate limits are back.*$/gm;

/** Returns the log lines that begin and end the times in which an instance counted requests locally. */
export function limitOutagesOf({ output }: Pick<ServerProcess, 'output'>): {
  readonly down: readonly string[];
  readonly back: readonly string[];
} {
  return { down: output().match(LIMITS_DOWN) ?? [], back: output().match(LIMITS_BACK) ?? [] };
}

/** Instances flush their log four times a second; a busy machine needs more time. */
const LOGGED_WITHIN_MS = 5_000;
const ATTEMPTS = 5;

/**
 * Runs a check while all instances count requests in their shared store. An instance counts locally when the store does
 * not answer within 300 ms, which happens on a busy machine: a failed check is repeated if the log shows such an outage.
 */
export async function whileCountedTogether(
  instances: Instances,
  check: (attempt: number) => Promise<void>,
): Promise<void> {
  const outages = () => instances.flatMap((instance) => limitOutagesOf(instance).down).length;
  const ends = () => instances.flatMap((instance) => limitOutagesOf(instance).back).length;
  for (let attempt = 1; ; attempt++) {
    await until(() => ends() === outages());
    const before = outages();
    try {
      return await check(attempt);
    } catch (error) {
      const isOutage = until(() => outages() > before, { withinMs: LOGGED_WITHIN_MS });
      const wasOutage = await isOutage.then(
        () => true,
        () => false,
      );
      if (!wasOutage || attempt === ATTEMPTS) throw error;
    }
  }
}

/** A client of the service. */
export interface GivenCustomer extends GivenClient {
  /** Returns the API client of instance `n` modulo their number, as a load balancer would. */
  at(n: number): ApiClient;
}

export async function givenCustomerOf(
  instances: Instances,
  input: Partial<NewClient> = {},
): Promise<GivenCustomer> {
  const client = await givenClientOf(instances[0], input);
  return { ...client, at: spreadOver(instances, client.key) };
}

/** A key of the test twin of a client, and API clients of each instance. */
export async function givenTestCustomerOf(instances: Instances, liveId: string): Promise<GivenCustomer> {
  const twin = await givenTestTwinOf(instances[0], liveId);
  return { ...twin, at: spreadOver(instances, twin.key) };
}

/** Creates API clients that choose an instance by a running number. */
export function spreadOver(instances: Instances, key?: string): (n: number) => ApiClient {
  const apis = instances.map(({ baseUrl }) => createApiClient(baseUrl, key));
  return (n) => apis[n % apis.length] as ApiClient;
}
