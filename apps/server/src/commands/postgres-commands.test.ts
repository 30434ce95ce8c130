// Starts the command line on a Postgres for each case.
import { randomBytes } from 'node:crypto';
import { createPostgresStorage } from '@countersign/storage-postgres';
import {
  describeWith,
  type PostgresServer,
  type RedisServer,
  startPostgres,
  startRedis,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createIn, inCore, PUBLIC_BASE_URL } from '../../test-support/core.ts';
import { migrationNames } from '../../test-support/migrations.ts';
import { newOperator, type Operator } from '../../test-support/operator.ts';
import type { DoctorReport } from './doctor.ts';

const NAMES = migrationNames('storage-postgres/migrations');
const STAFF = migrationNames('accounts/migrations/postgres');

describeWith(['postgres', 'redis'], 'commands on Postgres', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let url: string;
  let operator: Operator;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
    redis = await startRedis({ own: true, settings: { requirepass: 'hunter2' } });
  });
  afterAll(async () => {
    await postgres.stop();
    await redis.stop();
  });
  beforeEach(async () => {
    url = await postgres.createDatabase();
    operator = newOperator({ DATABASE_URL: url, REDIS_URL: redis.url });
  });

  test('create clients, subscriptions and keys', async () => {
    const { json } = operator;
    const { id } = await operator.newClient('--monthly-limit', '5');
    expect(await json('client list')).toMatchObject([{ id, usage: { used: 0, allowance: 5 } }]);
    expect(await json(`subscription set --client ${id} --plan enterprise`)).toMatchObject({
      plan: 'enterprise',
      monthlyLimit: 5,
    });
    const key = await json<{ id: string }>(`key create --client ${id} --permissions *`);
    expect(await json(`key revoke ${key.id}`)).toMatchObject({ id: key.id, state: 'revoked' });
  });

  test('hold, release and erase a verification, whose receipt audit verify and the report have', async () => {
    const secret = randomBytes(32);
    const at = newOperator({ DATABASE_URL: url, SECRET_KEYS: secret.toString('base64'), PUBLIC_BASE_URL });
    const { id: clientId } = await at.newClient();
    const { id } = await inCore(await createPostgresStorage({ url }), secret, (core) => createIn(core, clientId));

    await at.json(`verification withdraw ${id}`);
    expect(await at.json(`verification hold ${id} --reason`, 'court order')).toMatchObject({ state: 'held' });
    expect(await at.json(`verification erase ${id} --yes`)).toEqual({ id, state: 'held', until: null });
    await at.json(`verification release-hold ${id}`);
    const erased = { id, state: 'erased', until: null };
    expect(await at.json(`verification erase ${id} --yes`)).toEqual(erased);
    expect(await at.json(`verification erase ${id} --yes`)).toEqual(erased);

    expect((await at.run('audit verify')).exitCode).toBe(0);
    const { entries } = await at.json<{ entries: { action: string; at: string }[] }>('audit list');
    const exported = await at.json<{ sequence: number }[]>('audit export');
    expect(exported.map(({ sequence }) => sequence)).toEqual(exported.map((_, index) => index + 1));
    const last = exported.slice(-1);
    expect(await at.json('audit export --after', String(exported.length - 1))).toEqual(last);
    const receipt = entries.find(({ action }) => action === 'verifications.data_erased');
    const month = receipt?.at.slice(0, 7) ?? '';
    expect(await at.json(`client retention-report ${clientId} --month ${month}`)).toMatchObject({
      total: 1,
      erasures: [{ number: 1, verificationId: id, rule: 'requested' }],
    });
  });

  test('migrate applies each migration once', async () => {
    const place = expect.stringMatching(/^[^@]+:\d+\/test_[0-9a-f]+$/);
    expect(await operator.json('migrate')).toEqual({ database: place, applied: [...NAMES, ...STAFF] });
    expect(await operator.json('migrate')).toEqual({ database: place, applied: [] });
  });

  test('clear-erased-space is for SQLite only', async () => {
    expect(await operator.run('clear-erased-space')).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('PostgreSQL reuses free space itself'),
    });
  });

  test('other commands migrate too, unless MIGRATE is off', async () => {
    const careful = newOperator({ DATABASE_URL: url, MIGRATE: 'off' });
    expect(await careful.run('client list')).toMatchObject({
      exitCode: 1,
      out: '',
      err: expect.stringMatching(/^countersign: The schema of database [^\n]+\n$/),
    });
    expect((await operator.run('client list')).exitCode).toBe(0);
    expect((await careful.run('client list')).exitCode).toBe(0);
  });

  test('doctor reports both servers without passwords', async () => {
    await operator.json('migrate');

    const report = await operator.json<DoctorReport>('doctor');

    expect(report).toEqual({
      ok: true,
      version: expect.any(String),
      node: process.versions.node,
      secretFiles: [],
      database: expect.objectContaining({
        kind: 'postgres',
        serverVersion: expect.stringMatching(/^\d+/),
        appliedMigrations: NAMES,
        pendingMigrations: [],
        clockDifferenceMs: expect.any(Number),
        poolSize: 10,
      }),
      redis: expect.objectContaining({ serverVersion: expect.any(String), clockDifferenceMs: expect.any(Number) }),
      rateLimitTable: null,
      reader: { on: false, reads: null, version: null },
      accounts: { usable: true },
      audit: { entries: 0, checked: 0, lastNotedCheck: null },
      settings: { accepted: true },
      sealing: null,
      evidence: expect.objectContaining({ exists: false, writable: true, apartFromDataDir: false }),
      erasureLog: expect.objectContaining({ entries: 0 }),
      erasures: { unfinished: 0 },
      indexes: null,
      identityProviders: null,
      mail: { server: null, waiting: 0 },
      disk: [{ path: operator.dataDir, freeBytes: expect.any(Number) }],
      servers: [],
      counts: { differing: 0, mended: 0 },
      retentionPolicies: { own: 0, underFloor: 0 },
      verifications: null,
      problems: [],
    });
    const { exitCode, out } = await operator.run('doctor');
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/PostgreSQL \d+.*Redis .*No problems found\n$/s)]);
    for (const text of [JSON.stringify(report), out]) {
      expect(text).not.toContain('hunter2');
      expect(text).not.toContain(`:${new URL(url).password}@`);
    }
  });

  test('doctor fails on pending migrations and an unreachable Redis, and changes nothing', async () => {
    const broken = newOperator({ DATABASE_URL: url, REDIS_URL: 'redis://:hunter2@127.0.0.1:1' });
    for (let look = 0; look < 2; look += 1) {
      const { exitCode, out } = await broken.run('doctor --json');
      expect(exitCode).toBe(1);
      expect(JSON.parse(out)).toMatchObject({
        ok: false,
        database: { appliedMigrations: [], pendingMigrations: NAMES },
        redis: null,
        problems: [
          `Migrations are pending, run countersign migrate: ${NAMES.join(', ')}`,
          expect.stringMatching(/^Redis .*ECONNREFUSED/),
        ],
      });
      expect(out).not.toContain('hunter2');
    }
  });
});
