import type { NewClient } from '@countersign/domain';
import { type ApiClient, createApiClient } from '../api/api-client.ts';
import type { Environment } from '../processes/child-process.ts';
import { type ServerProcess, startServer } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';
import { type GivenClient, givenClientOf } from './operator.ts';

/** At least one. */
export type Instances = readonly [ServerProcess, ...ServerProcess[]];

/** What all servers of one service have in common beside the database. */
const SERVICE: Environment = {
  SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
  PUBLIC_BASE_URL: 'https://verify.example',
};

/** Servers that are one service, each with a data directory of its own: nothing but the environment connects them. */
export async function startInstances(
  count: number,
  env: Environment & { DATABASE_URL: string },
): Promise<Instances> {
  const starts = Array.from({ length: count }, () => startServer({ env: { ...SERVICE, ...env } }));
  return (await Promise.all(starts)) as [ServerProcess, ...ServerProcess[]];
}

const LIMITS_DOWN = /^.*shared rate limits are down, counting locally.*$/gm;
const LIMITS_BACK = /^.*shared rate limits are back.*$/gm;

/** The lines of an instance's log about the begin and the end of each time in which it counted requests alone. */
export function limitOutagesOf({ output }: Pick<ServerProcess, 'output'>): {
  readonly down: readonly string[];
  readonly back: readonly string[];
} {
  return { down: output().match(LIMITS_DOWN) ?? [], back: output().match(LIMITS_BACK) ?? [] };
}

/** An instance writes its log four times a second; a busy machine needs more time. */
const LOGGED_WITHIN_MS = 5_000;
const ATTEMPTS = 5;

/**
 * Checks what holds while all instances count requests in their shared store. An instance counts alone when the store is silent
 * for 300 ms, which happens on a busy machine: a check that fails is repeated if the log says that it did.
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
  /** Speaks to one instance after the other, as behind a load balancer. */
  at(n: number): ApiClient;
}

export async function givenCustomerOf(
  instances: Instances,
  input: Partial<NewClient> = {},
): Promise<GivenCustomer> {
  const client = await givenClientOf(instances[0], input);
  return { ...client, at: spreadOver(instances, client.key) };
}

/** Chooses among the instances by a running number. */
export function spreadOver(instances: Instances, key?: string): (n: number) => ApiClient {
  const apis = instances.map(({ baseUrl }) => createApiClient(baseUrl, key));
  return (n) => apis[n % apis.length] as ApiClient;
}
