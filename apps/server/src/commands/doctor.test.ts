// Starts the command line for each case: what it prints and its exit code are about processes.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startIdentityProvider } from '@countersign/test-support/servers/identity-provider';
import { startMailServer } from '@countersign/test-support/servers/mail-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { operatorOfEachTest } from '../../test-support/operator.ts';

const operator = operatorOfEachTest(() => ({ READER: 'on' }));
const { json, newClient } = operator;

describe('doctor', () => {
  test('reports versions, migrations and integrity', async () => {
    await newClient();
    expect(await json('doctor')).toEqual({
      ok: true,
      reader: { on: true, reads: true, version: expect.stringMatching(/^mrz-/) },
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node: process.versions.node,
      secretFiles: [],
      database: expect.objectContaining({ kind: 'sqlite', integrity: 'ok', pendingMigrations: [] }),
      redis: null,
      rateLimitTable: null,
      accounts: { usable: true },
      audit: { entries: 2, checked: 2, lastNotedCheck: null },
      settings: { accepted: true },
      sealing: null,
      evidence: {
        directory: join(operator.dataDir, 'evidence'),
        exists: false,
        writable: true,
        apartFromDataDir: false,
        heic: expect.any(Boolean),
      },
      erasureLog: { directory: join(operator.dataDir, 'erasures'), entries: 0, unexpected: 0 },
      erasures: { unfinished: 0 },
      disk: [{ path: operator.dataDir, freeBytes: expect.any(Number) }],
      servers: [],
      counts: { differing: 0, mended: 0 },
      retentionPolicies: { own: 0, underFloor: 0 },
      mail: { server: null, waiting: 0 },
      identityProviders: null,
      verifications: null,
      indexes: null,
      problems: [],
    });
  });

  test('names the files of secrets, and warns about one that every user can read', async () => {
    await newClient();
    const file = join(operator.dataDir, 'keys');
    const key = Buffer.alloc(32, 7).toString('base64');
    writeFileSync(file, `${key}\n`);
    chmodSync(file, 0o644);
    const environment = { DATA_DIR: operator.dataDir, SECRET_KEYS_FILE: file };
    const { exitCode, out } = await runCommand(['doctor'], environment);
    expect(exitCode).toBe(0);
    expect(out).toContain(`SECRET_KEYS_FILE is ${file}\nWarning: SECRET_KEYS_FILE is ${file}, which every user`);
    expect(out).toContain('Secrets 1, the newest ');
    const asJson = (await runCommand(['doctor', '--json'], environment)).out;
    expect(JSON.parse(asJson)).toMatchObject({
      secretFiles: [{ variable: 'SECRET_KEYS_FILE', file, isReadableByAll: true }],
    });
    expect(out + asJson).not.toContain(key.slice(0, 12));
  });

  test('reports whether the mail server accepts the connection, without its password', async () => {
    await newClient();
    const credentials = { user: 'ada', password: 'hunter2' };
    const server = await startMailServer({ credentials });
    const examine = (password: string) =>
      runCommand(['doctor', '--json'], {
        DATA_DIR: operator.dataDir,
        SMTP_URL: `smtp://ada:${password}@localhost:${server.port}`,
        MAIL_FROM: 'no-reply@verify.example',
      });
    const { exitCode, out } = await examine('hunter2');
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      mail: { server: { host: 'localhost', port: server.port, accepts: true }, waiting: 0 },
    });

    const refused = await examine('hunter3');
    expect(refused.exitCode).toBe(1);
    expect(JSON.parse(refused.out)).toMatchObject({
      mail: { server: { accepts: false } },
      problems: [
        `The mail server localhost:${server.port} refused the sign-in: check user and password of SMTP_URL (535)`,
      ],
    });
    expect(`${out}${refused.out}${refused.err}`).not.toMatch(/hunter|ada/);
    expect(server.received).toEqual([]);
  });

  test('reports whether each identity provider answers, without the client secret', async () => {
    await newClient();
    const provider = await startIdentityProvider(() => []);
    onTestFinished(() => provider.close());
    const file = join(operator.dataDir, 'providers.json');
    const registration = { clientId: 'countersign', clientSecret: 'hunter2' };
    const acme = { id: 'acme', name: 'Acme', issuer: provider.issuer, ...registration };
    const gone = { id: 'gone', name: 'Gone', issuer: 'http://localhost:1', ...registration };
    const examine = (providers: object[]) => {
      writeFileSync(file, JSON.stringify({ providers }));
      return runCommand(['doctor'], { DATA_DIR: operator.dataDir, SSO_PROVIDERS_FILE: file });
    };

    const healthy = await examine([acme]);
    expect([healthy.exitCode, healthy.out]).toEqual([
      0,
      expect.stringContaining(`Identity provider acme (${provider.issuer}) answers and offers PKCE with S256\n`),
    ]);
    const broken = await examine([acme, gone]);
    expect([broken.exitCode, broken.out]).toEqual([
      1,
      expect.stringContaining(
        'Identity provider gone (http://localhost:1) does not answer: check the issuer in SSO_PROVIDERS_FILE, and the firewall',
      ),
    ]);
    expect(healthy.out + broken.out + broken.err).not.toContain('hunter2');
  });
});
