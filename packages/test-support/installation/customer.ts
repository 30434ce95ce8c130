import type { NewClient } from '@countersign/domain/clients';
import { expect } from 'vitest';
import {
  type Answer,
  type ApiClient,
  createApiClient,
  expectRefusal,
  idOf,
  newSubject,
} from '../api/api-client.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { tallyOf } from './database-file.ts';
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

/** A client with one verification, which can expect that refused requests change nothing. */
export interface Customer extends GivenApi {
  /** The id of its verification. */
  readonly id: string;
  /** Expects the request to be refused with this status and code, without a new row or usage. */
  expectRefused(request: Promise<Answer>, status: number, code: string): Promise<Answer>;
}

export async function givenCustomer(server: ServerProcess): Promise<Customer> {
  const client = await givenApi(server);
  const id = idOf(await client.api.post(newSubject('the first')));
  return {
    ...client,
    id,
    async expectRefused(request, status, code) {
      const answer = await request;
      expectRefusal(answer, status, code);
      const tally = tallyOf(server.databaseFile, client.clientId);
      expect(tally).toEqual({ rows: 1, used: 1, counted: 1, created: 1, events: 1 });
      return answer;
    },
  };
}
