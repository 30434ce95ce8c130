// Starts one server that trusts a proxy, and one that does not.
import { createApiClient, expectRefusal } from '@countersign/test-support/api/api-client';
import { operate } from '@countersign/test-support/installation/operator';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { expect, it } from 'vitest';

const NETWORKS = ['203.0.113.0/24', '2001:db8::/32'];

async function givenKeyOf(server: ServerProcess, networks: readonly string[]) {
  return operate(server, async ({ clients, apiKeys }) => {
    const { client } = await clients.create({ name: 'Acme', plan: 'none' });
    return apiKeys.issue(client.id, { permissions: ['*'], networks });
  });
}

it('a key with networks works from the addresses that the trusted proxy reports', async () => {
  const server = await startServer({ env: { TRUST_PROXY: '1' } });
  const { value } = await givenKeyOf(server, NETWORKS);
  const api = createApiClient(server.baseUrl, value);
  const from = (addresses: string) => api.request('/verifications', { headers: { 'X-Forwarded-For': addresses } });

  for (const inside of ['203.0.113.9', '2001:db8::9', '::ffff:203.0.113.9', '192.0.2.1, 203.0.113.9']) {
    expect((await from(inside)).status, inside).toBe(200);
  }
  // The proxy appends its entry; the caller wrote the entries left of it.
  for (const outside of ['192.0.2.1', '2001:db9::1', '203.0.113.9, 192.0.2.1', '']) {
    expectRefusal(await from(outside), 401, 'INVALID_API_KEY');
  }
  expectRefusal(await api.request('/verifications'), 401, 'INVALID_API_KEY');
});

it('without a trusted proxy, X-Forwarded-For does not bring a key into its networks', async () => {
  const server = await startServer();
  const elsewhere = createApiClient(server.baseUrl, (await givenKeyOf(server, NETWORKS)).value);
  const here = createApiClient(server.baseUrl, (await givenKeyOf(server, ['127.0.0.1', '::1'])).value);
  const forged = { headers: { 'X-Forwarded-For': '203.0.113.9' } };

  expectRefusal(await elsewhere.request('/verifications', forged), 401, 'INVALID_API_KEY');
  expect((await here.request('/verifications', forged)).status).toBe(200);
});
