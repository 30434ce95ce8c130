import { readFileSync, statSync } from 'node:fs';
import { createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { runCountersign } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

describe('a running server', () => {
  let server: ServerProcess;
  let key: string;

  beforeAll(async () => {
    server = await startServer();
    key = (await server.says(/csk_[0-9a-f]{64}/))[0];
  });

  it('opens a valid link and refuses forged ones', async () => {
    const api = createApiClient(server.baseUrl, key);
    const created = await api.post(newSubject('user_1'));
    const other = await api.post(newSubject('user_2'));
    const { pathname } = new URL(String(created.body.data?.verificationUrl));
    const status = async (path: string) => {
      const response = await fetch(server.origin + path, { redirect: 'manual' });
      expect(response.headers.get('referrer-policy')).toBe('same-origin');
      expect(response.headers.get('cache-control')).toBe('no-store');
      await response.arrayBuffer();
      return response.status;
    };
    const last = pathname.at(-1) === 'A' ? 'B' : 'A';

    expect(await status(pathname)).toBe(303);
    expect(await status(`${pathname.slice(0, -1)}${last}`)).toBe(404);
    expect(await status(pathname.slice(0, -1))).toBe(404);
    expect(await status(`${pathname}A`)).toBe(404);
    // Without its token, the address needs a session.
    expect(await status(pathname.split('.')[0] ?? '')).toBe(403);
    expect(await status(pathname.replace(idOf(created), idOf(other)))).toBe(404);
    expect(await status('/verify/unknown')).toBe(403);
    // Opening a link changes nothing.
    expect((await api.get(`/verifications/${idOf(created)}`)).body.data).toMatchObject({
      status: 'pending',
      currentStep: 0,
    });
  });

  it('answers /healthz and /readyz', async () => {
    for (const [path, status] of [
      ['/healthz', 'ok'],
      ['/readyz', 'ready'],
    ] as const) {
      const response = await fetch(server.origin + path);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status });
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('creates its files readable by its user only', async () => {
    expect(statSync(server.databaseFile).mode & 0o077).toBe(0);
    expect(statSync(`${server.dataDir}/secret-keys`).mode & 0o077).toBe(0);
  });

  it('refuses a second server on its data in one line', async () => {
    const { code, stdout, stderr } = await runCountersign(['serve'], { ...server.env, PORT: '1024' });

    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^countersign: Another server is already serving [^\n]*\n$/);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  });

  it('logs no keys, tokens, links or data of subjects', async () => {
    const api = createApiClient(server.baseUrl, key);
    const created = await api.post({ ...newSubject('Ada Lovelace'), metadata: { email: 'ada@example.org' } });
    const link = new URL(String(created.body.data?.verificationUrl));
    await fetch(server.origin + link.pathname);
    await api.get(`/verifications?subjectReference=Ada%20Lovelace`);
    await api.get(`/verifications/${idOf(created)}/details`);
    await api.get(`/verifications?x=${key}`);
    await fetch(`${server.origin}/${key}`);
    await createApiClient(server.baseUrl).get(`/${key}`);
    // The log is buffered; wait for the last request's line.
    const last = (await api.get('/the-last')).headers.get('x-request-id') ?? 'none';
    await server.says(new RegExp(last));

    const log = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(log.length).toBeGreaterThan(8);
    for (const secret of [
      key,
      key.slice(4),
      'Lovelace',
      'ada@',
      link.pathname.split('.')[1] ?? '',
      'subjectReference',
    ]) {
      expect(log.filter((line) => line.includes(secret))).toEqual([]);
    }
    // The fields of each request's line.
    const entry = JSON.parse(log.find((line) => line.includes('/verifications/{id}/details')) ?? '{}') as object;
    expect(entry).toMatchObject({
      level: 'info',
      requestId: expect.stringMatching(/\S/) as string,
      method: 'GET',
      path: '/api/v1/verifications/{id}/details',
      status: 200,
      verificationId: idOf(created),
      clientId: expect.stringMatching(/\S/) as string,
      keyId: expect.stringMatching(/\S/) as string,
    });
  });
});

describe('the command line with --json', () => {
  it('prints one JSON value on stdout and nothing else', async () => {
    const server = await startServer();
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    const version = await runCountersign(['--version'], server.env);
    expect(version).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });

    const client = await runCountersign(
      ['--json', 'client', 'create', '--name', 'Acme', '--plan', 'enterprise'],
      server.env,
    );
    expect(client).toMatchObject({ code: 0, stderr: '' });
    expect(client.stdout.trimEnd().split('\n')).toHaveLength(1);
    const { id } = JSON.parse(client.stdout) as { id: string };
    const key = await runCountersign(
      ['key', 'create', '--client', id, '--permissions', '*', '--json'],
      server.env,
    );
    expect(JSON.parse(key.stdout)).toMatchObject({
      id: expect.any(String) as string,
      key: expect.stringMatching(/^csk_/) as string,
    });
  });
});
