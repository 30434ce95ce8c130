import { createApiClient, expectRefusal } from '@countersign/test-support/api/api-client';
import { auditLines } from '@countersign/test-support/installation/audit-lines';
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

const refusals = (server: ServerProcess) =>
  auditLines(server.databaseFile).filter(({ action }) => action === 'api_keys.use');

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

it('two hundred refused requests of a key from forty networks add at most ten entries to the audit log', async () => {
  const server = await startServer({ env: { TRUST_PROXY: '1' } });
  const { value, key } = await givenKeyOf(server, NETWORKS);
  const api = createApiClient(server.baseUrl, value);
  const sent = 200;
  for (let n = 0; n < sent; n += 1) {
    const headers = { 'X-Forwarded-For': `198.51.${n % 40}.1` };
    expectRefusal(await api.request('/verifications', { headers }), 401, 'INVALID_API_KEY');
  }
  expect((await server.stop()).code).toBe(0);

  const lines = refusals(server);
  expect(lines.length).toBeLessThanOrEqual(10);
  expect(lines.reduce((sum, { detail }) => sum + Number(detail.count ?? 1), 0)).toBe(sent);
  expect(lines.every(({ actor, outcome }) => actor === `api_key ${key.id}` && outcome === 'refused')).toBe(true);
});
