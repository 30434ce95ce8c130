import type { NewClient } from '@countersign/domain';
import { type ApiClient, createApiClient } from '../api/api-client.ts';
import type { Environment } from '../processes/child-process.ts';
import { type ServerProcess, startServer } from '../processes/server-process.ts';
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
