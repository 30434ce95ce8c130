// Starts a server and compares an answer of each operation with the document.
import { openApiDocument } from '@countersign/http';
import { type Answer, type ApiClient, dataOf, idOf, newSubject } from '@countersign/test-support/api/api-client';
import {
  type DocumentedApi,
  type DocumentedOperation,
  type DocumentedParameter,
  readStrictDocument,
} from '@countersign/test-support/api/documented-api';
import { type GivenApi, givenTestApi } from '@countersign/test-support/installation/customer';
import { givenClientOf, operate } from '@countersign/test-support/installation/operator';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;
let document: Record<string, unknown>;
let api: DocumentedApi;

beforeAll(async () => {
  server = await startServer();
  const response = await fetch(`${server.baseUrl}/openapi.json`);
  document = (await response.json()) as Record<string, unknown>;
  api = await readStrictDocument(server);
});

/** Sends an example of the document, with an existing id in its path. */
async function send(
  client: ApiClient,
  { method, path }: DocumentedOperation,
  { body, parameters, id }: { body?: unknown; parameters: readonly DocumentedParameter[]; id: string },
): Promise<Answer> {
  const headers = new Headers(body === undefined ? {} : { 'Content-Type': 'application/json' });
  const query = new URLSearchParams();
  for (const { in: place, parameter, value } of parameters) {
    if (place === 'header') headers.set(parameter, String(value));
    if (place === 'query') query.set(parameter, String(value));
  }
  const address = `${path.replace('{id}', id).replace('{fileId}', await fileOf(client, { path, id }))}${query.size === 0 ? '' : `?${query.toString()}`}`;
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return await client.request(address, { method: method.toUpperCase(), headers, ...sent });
}

/** Returns a file of the verification if the path names one. */
async function fileOf(client: ApiClient, { path, id }: { path: string; id: string }): Promise<string> {
  if (!path.includes('{fileId}')) return '';
  const { documents } = dataOf(await client.get(`/verifications/${id}/details`));
  return (documents as { id: string }[])[0]?.id ?? '';
}

/** A client in test mode, with one verification. */
interface TestCustomer extends GivenApi {
  readonly liveId: string;
  readonly id: string;
}

async function givenTestCustomer(): Promise<TestCustomer> {
  const { clientId: liveId } = await givenClientOf(server, { plan: 'none' });
  const twin = await givenTestApi(server, liveId);
  return { ...twin, liveId, id: idOf(await twin.api.post(newSubject('the first'))) };
}

/** Returns a verification whose status allows the operation. */
async function idFor(
  { method, path }: DocumentedOperation,
  { api: client, liveId, id }: TestCustomer,
): Promise<string> {
  if (method === 'delete') await client.request(`/verifications/${id}/withdraw`, { method: 'POST' });
  const needsData = path.endsWith('/relationship-end') || path.endsWith('/export') || path.includes('{fileId}');
  if (!needsData) return id;
  await operate(server, ({ clients }) => clients.setFileAccess(liveId, true));
  const approved = { ...newSubject('the second'), metadata: { sandboxOutcome: 'approved' } };
  const driven = idOf(await client.post(approved));
  await until(async () => dataOf(await client.get(`/verifications/${driven}`)).status === 'approved');
  return driven;
}

describe('the OpenAPI document', () => {
  it('describes each operation, itself and the URL of the server', () => {
    expect(api.operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'delete /verifications/{id}/data',
      'get /openapi.json',
      'get /verifications',
      'get /verifications/{id}',
      'get /verifications/{id}/details',
      'get /verifications/{id}/export',
      'get /verifications/{id}/files/{fileId}',
      'post /verifications',
      'post /verifications/{id}/withdraw',
      'put /verifications/{id}/relationship-end',
    ]);
    const serverUrl = `http://localhost:${server.port}/api/v1`;
    expect(document.servers).toEqual([{ url: serverUrl }]);
    expect(document).toEqual(openApiDocument({ serverUrl }));
  });
});

describe('the OpenAPI document’s request examples', () => {
  it('get a documented success from the server', async () => {
    const problems: string[] = [];
    let count = 0;
    for (const operation of api.operations) {
      const { bodies, parameters } = operation;
      const needed = parameters.filter(({ required }) => required);
      const optional = parameters.filter(({ required }) => !required);
      const sets = [needed, ...optional.map((parameter) => [...needed, parameter]), parameters];
      for (const set of sets) {
        for (const { value: body } of bodies.length === 0 ? [{ value: undefined }] : bodies) {
          // A new client each time, because a subject can be verified only once.
          const customer = await givenTestCustomer();
          const { api: client, clientId } = customer;
          await operate(server, ({ clients }) =>
            clients.setReturnAddresses(clientId, ['https://shop.example/kyc']),
          );
          const id = await idFor(operation, customer);
          const answer = await send(client, operation, { body, parameters: set, id });
          const name = `${operation.method} ${operation.path} ${set.map(({ parameter }) => parameter).join()}`;
          if (answer.status >= 300) problems.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
          problems.push(...api.problemsOfAnswer(operation, answer).map((problem) => `${name}: ${problem}`));
          count++;
        }
      }
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(15);
  });
});
