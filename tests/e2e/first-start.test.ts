import { createApiClient, dataOf, type Envelope, newSubject } from '@countersign/test-support/api/api-client';
import { statusOfLink } from '@countersign/test-support/api/link';
import { givenClientOf, operate } from '@countersign/test-support/installation/operator';
import { run } from '@countersign/test-support/processes/child-process';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describe, expect, it } from 'vitest';

const clientsOf = (server: ServerProcess) => operate(server, ({ clients }) => clients.list());

const CURL_LINE = /^curl .*$/m;

describe('the first start', () => {
  it('prints a curl line that, pasted into a shell, gets 201 with the seven fields', async () => {
    const curl = await run('curl', ['--version']).catch(() => undefined);
    expect(curl?.code, 'curl is needed for this test: install it').toBe(0);
    const server = await startServer();
    const [line] = await server.says(CURL_LINE);

    const pasted = await run('bash', ['-c', `${line} -w '\\n%{http_code}'`]);

    expect(pasted.stderr).toBe('');
    const [body = '', status] = pasted.stdout.split('\n');
    expect(status).toBe('201');
    const answer = JSON.parse(body) as Envelope;
    expect(Object.keys(answer).sort()).toEqual(['data', 'message', 'success']);
    expect(Object.keys(answer.data ?? {}).sort()).toEqual(
      ['currentStep', 'id', 'requestedAt', 'status', 'subjectReference', 'type', 'verificationUrl'].sort(),
    );
    // The link opens the flow; a forged link does not.
    const link = String(answer.data?.verificationUrl);
    expect(await statusOfLink(link)).toBe(303);
    expect(await statusOfLink(`${link.slice(0, -2)}AA`)).toBe(404);
  });

  it('prints a key for each mode: the response to a pasted request of test mode says so, and the verification is approved', async () => {
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

  it('creates one demo client: a second start prints no key, and the first key still works', async () => {
    const first = await startServer();
    const key = (await first.says(/csk_[0-9a-f]{64}/))[0];
    await first.stop();

    const second = await startServer({ dataDir: first.dataDir });

    await second.says(/Countersign listens on/);
    expect(second.output()).not.toMatch(/csk_|^curl/m);
    expect(await clientsOf(second)).toHaveLength(1);
    expect((await createApiClient(second.baseUrl, key).post(newSubject('user_1'))).status).toBe(201);
    await second.stop();
    expect(second.output()).not.toMatch(/csk_/);
  });

  it('creates no demo client in production or when a client exists', async () => {
    const production = {
      NODE_ENV: 'production',
      PUBLIC_BASE_URL: 'https://verify.example',
      SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
    };
    const server = await startServer({ env: production });
    await server.says(/"msg":"listening"/);
    expect(server.output()).not.toMatch(/csk_|curl/);
    expect(await clientsOf(server)).toEqual([]);
    await givenClientOf(server);
    await server.stop();

    const again = await startServer({ dataDir: server.dataDir });
    await again.says(/Countersign listens on/);
    expect(again.output()).not.toMatch(/csk_|^curl/m);
  });

  it('keeps links valid across a restart', async () => {
    const first = await startServer();
    const key = (await first.says(/csk_[0-9a-f]{64}/))[0];
    const created = await createApiClient(first.baseUrl, key).post(newSubject('user_1'));
    await first.stop();

    const second = await startServer({ dataDir: first.dataDir });

    const { pathname } = new URL(String(created.body.data?.verificationUrl));
    expect(await statusOfLink(second.origin + pathname)).toBe(303);
  });
});
