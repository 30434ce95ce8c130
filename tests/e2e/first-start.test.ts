import { createApiClient, dataOf, type Envelope } from '@countersign/test-support/api/api-client';
import { run } from '@countersign/test-support/processes/child-process';
import { startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { expect, it } from 'vitest';

it('the first start prints a key for each mode: the response to a pasted request of test mode says so, and the verification is approved', async () => {
  const server = await startServer();
  const [, key] = await server.says(/Key: +(csk_[0-9a-f]{64}) /);
  const [, testKey] = await server.says(/Test key: +(csk_[0-9a-f]{64}) /);
  expect(testKey).not.toBe(key);
  const [line] = await server.says(/^curl .*sandboxOutcome.*$/m);
  expect(line).toContain(testKey);

  const pasted = await run('bash', ['-c', `${line} -i`]);

  const [head = '', body = ''] = pasted.stdout.split('\r\n\r\n');
  expect(head.toLowerCase()).toContain('x-countersign-mode: test');
  const { id } = (JSON.parse(body) as Envelope).data ?? {};
  const path = `/verifications/${String(id)}`;
  const test = createApiClient(server.baseUrl, testKey);
  await until(async () => dataOf(await test.get(path)).status === 'approved');
  const live = await createApiClient(server.baseUrl, key).get(path);
  expect([live.status, live.headers.get('X-Countersign-Mode')]).toEqual([404, 'live']);
});
