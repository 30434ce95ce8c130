import type { NewClient } from '@countersign/domain/clients';
import { type ApiClient, createApiClient } from '../api/api-client.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { type GivenClient, givenClientOf, givenTestTwinOf } from './operator.ts';

/** A client with an all-permissions key and an API client that uses it. */
export interface GivenApi extends GivenClient {
  readonly api: ApiClient;
}

export async function givenApi(server: ServerProcess, input: Partial<NewClient> = {}): Promise<GivenApi> {
  const client = await givenClientOf(server, input);
  return { ...client, api: createApiClient(server.baseUrl, client.key) };
}

/** The test twin of a client, with a key of its own. Without a client, it is one of a new client. */
export async function givenTestApi(server: ServerProcess, liveId?: string): Promise<GivenApi> {
  const twin = await givenTestTwinOf(server, liveId ?? (await givenClientOf(server, { plan: 'none' })).clientId);
  return { ...twin, api: createApiClient(server.baseUrl, twin.key) };
}
