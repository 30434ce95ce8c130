// Starts a server on an empty database for each case.
import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, test } from 'vitest';
import { workplaceOfEachTest } from '../../test-support/workplace.ts';

// Starts real processes to test signals, files, ports and exit codes.
const workplace = workplaceOfEachTest();

describe('serve: the first start on an empty database', () => {
  test('prints a curl line that creates a verification when pasted', async () => {
    const server = await workplace.serve();
    const { stdout } = await promisify(execFile)('sh', ['-c', `${server.curlLine()} -w '\\n%{http_code}'`]);

    const [body = '', status] = stdout.split('\n');
    expect(status).toBe('201');
    const { success, data } = JSON.parse(body) as { success: boolean; data: Record<string, unknown> };
    expect(success).toBe(true);
    const fields = ['id', 'type', 'subjectReference', 'status', 'requestedAt', 'currentStep', 'verificationUrl'];
    expect(Object.keys(data).sort()).toEqual(fields.sort());
    expect((await fetch(String(data.verificationUrl), { redirect: 'manual' })).status).toBe(303);
  });

  test('keeps keys, links and references out of the log, and creates private files only', async () => {
    const server = await workplace.serve({ LOG_LEVEL: 'trace' });
    const response = await fetch(`${server.origin}/api/v1/verifications?canary=canary`, {
      method: 'POST',
      headers: { 'X-API-Key': server.key(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ subjectType: 'kyc', subjectReference: 'canary', metadata: { canary: 'canary' } }),
    });
    await fetch(`${server.origin}/verify/canary.canary`);
    await fetch(`${server.origin}/canary`, { headers: { 'X-API-Key': 'csk_canary', Cookie: 'canary' } });
    await fetch(`${server.origin}/api/v1/verifications`, { headers: { Authorization: 'Bearer csk_canary' } });
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);

    const log = server.log();
    expect(log).toContainEqual(expect.objectContaining({ requestId: response.headers.get('x-request-id') }));
    expect(log.map((entry) => entry.msg)).toEqual(
      expect.arrayContaining(['listening', 'request', 'stopping', 'stopped']),
    );
    expect(JSON.stringify(log)).not.toMatch(/canary|csk_/);
    for (const name of readdirSync(workplace.dataDir)) {
      expect([name, (statSync(join(workplace.dataDir, name)).mode & 0o077).toString(8)]).toEqual([name, '0']);
    }
  });

  test('creates a demo client, and a second start creates no other', async () => {
    const first = await workplace.serve();
    first.child.kill('SIGTERM');
    await first.ended;

    const second = await workplace.serve();

    expect(second.out()).toContain('Countersign listens on');
    expect(second.out()).not.toMatch(/csk_|demo/i);
    const { out } = await workplace.run('client list --json');
    expect(JSON.parse(out)).toHaveLength(1);
  });

  test('creates no demo client in production, and prints its log and the command for the first operator', async () => {
    const secret = Buffer.alloc(32, 1).toString('base64');
    const server = await workplace.serve({
      NODE_ENV: 'production',
      PUBLIC_BASE_URL: 'https://v.example',
      SECRET_KEYS: secret,
    });
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.log()).toHaveLength(server.out().trimEnd().split('\n').length);
    expect(server.log()).toContainEqual(
      expect.objectContaining({ msg: expect.stringContaining('ERASURE_LOG_URL is not set') }),
    );
    const [command = ''] = /countersign user create .*/.exec(server.err()) ?? [];
    expect(command).toContain('--role operator');
    expect(readdirSync(workplace.dataDir)).not.toContain('secret-keys');
    const { out } = await workplace.run('client list --json');
    expect(JSON.parse(out)).toEqual([]);
  });
});

test('serve: verification links stay valid after a restart', async () => {
  const first = await workplace.serve();
  const response = await fetch(`${first.origin}/api/v1/verifications`, {
    method: 'POST',
    headers: { 'X-API-Key': first.key(), 'Content-Type': 'application/json' },
    body: '{"subjectType":"kyc","subjectReference":"user_1"}',
  });
  const { data } = (await response.json()) as { data: { verificationUrl: string } };
  first.child.kill('SIGTERM');
  await first.ended;

  const second = await workplace.serve();

  const link = second.origin + new URL(data.verificationUrl).pathname;
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
});

describe('the command line while a server runs', () => {
  test('creates a key that the API accepts, and revokes it from the next request on', async () => {
    const server = await workplace.serve();
    const command = async <T>(text: string): Promise<T> => {
      const { out } = await workplace.run(text, '--json');
      return JSON.parse(out) as T;
    };
    const client = await command<{ id: string }>('client create --name Acme --plan standard');
    const made = await command<{ id: string; key: string }>(`key create --client ${client.id} --permissions *`);
    const list = () => fetch(`${server.origin}/api/v1/verifications`, { headers: { 'X-API-Key': made.key } });

    expect((await list()).status).toBe(200);
    await command(`key revoke ${made.id}`);
    const refused = await list();

    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: 'API key has been revoked' });
    expect(await command('doctor')).toMatchObject({ ok: true });
    const folder = join(temporaryFolder(), 'backup');
    expect(await command(`backup ${folder}`)).toMatchObject({
      directory: folder,
      manifest: { evidence: { files: 0 } },
    });
  });
});
