import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createFileEvidenceStore } from '@countersign/evidence';
import { createPostgresStorage } from '@countersign/storage-postgres';
import { run } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import {
  describeWith,
  type PostgresServer,
  postgresWithTools,
  startPostgres,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newOperator, type Operator } from '../../test-support/operator.ts';
import { givenSealedVerifications, lastNamesIn } from '../../test-support/sealed-verifications.ts';
import { givenSignedOnUser } from '../../test-support/signed-on-user.ts';

const SECRET = Buffer.alloc(32, 1);
const FILE = { verificationId: '0198c0de-0000-7000-8000-000000000000', fileId: 'file-1' };
const COUNT = 30;

describeWith(['postgres-tools'], 'backup with pg_dump and restore with pg_restore', () => {
  const programs = join(postgresWithTools() ?? '', 'bin');
  const path = `${programs}${delimiter}/usr/bin${delimiter}/bin`;
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false, installation: postgresWithTools() });
    url = await server.createDatabase();
  });
  afterAll(() => server.stop());

  function operatorOn(databaseUrl: string): Operator {
    const operator = newOperator({
      DATABASE_URL: databaseUrl,
      SECRET_KEYS: SECRET.toString('base64url'),
      PATH: path,
    });
    return operator;
  }

  /** Runs one of PostgreSQL's programs against the server, as the documentation says. */
  async function tool(name: string, ...args: string[]): Promise<string> {
    const { hostname, port, username, password } = new URL(url);
    const env = { PATH: path, PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password };
    const { code, stdout, stderr } = await run(join(programs, name), args, { env });
    if (code !== 0) throw new Error(`${name}: ${stderr}`);
    return stdout.trim();
  }

  /** Returns count and checksum of each table's rows. */
  async function contentsOf(database: string): Promise<string[]> {
    const query = `select format('select %L, count(*), md5(string_agg(t::text, '''' order by t::text)) from %I t', relname, relname)
      from pg_stat_user_tables order by relname`;
    const queries = await tool('psql', '-At', '-d', database, '-c', query);
    return (await tool('psql', '-At', '-d', database, '-c', queries.replaceAll('\n', ' union all '))).split('\n');
  }

  test('backup with pg_dump and restore with pg_restore in the documented order gives the same rows, files and constraints', {
    timeout: 240_000,
  }, async () => {
    const database = new URL(url).pathname.slice(1);
    const operator = operatorOn(url);
    const { id: clientId } = await operator.newClient();
    await givenSignedOnUser(operator, (statement) => tool('psql', '-d', database, '-c', statement));
    const storage = await createPostgresStorage({ url });
    const sealed = { clientId, count: COUNT, secretKeys: [SECRET], fileIds: [FILE.fileId] };
    await givenSealedVerifications(storage, sealed);
    await storage.close();
    await createFileEvidenceStore({ directory: join(operator.dataDir, 'evidence') }).put(
      { ...FILE, clientId },
      Uint8Array.of(1, 2, 3),
    );
    const before = await contentsOf(database);
    for (const table of ['staff_identities', 'staff_passkeys'])
      expect(before).toContainEqual(expect.stringMatching(`^${table}\\|1\\|`));
    const folder = join(temporaryFolder(), 'backup');

    expect(await operator.run(`backup ${folder}`)).toMatchObject({ exitCode: 0 });

    // The machine is lost, and the old database is moved out of the way.
    const elsewhere = operatorOn(url);
    await tool('psql', '-d', 'postgres', '-c', `ALTER DATABASE ${database} RENAME TO ${database}_before`);
    await tool('createdb', '--owner=countersign', database);
    expect((await elsewhere.run(`restore --check ${folder}`)).out).toMatch(/Not restored yet: .*pg_restore/);
    const dump = join(folder, 'countersign.dump');
    await tool('pg_restore', '--exit-on-error', '--no-owner', '-U', 'countersign', '-d', database, dump);
    expect(await contentsOf(database)).toEqual(before);

    const checked = await elsewhere.run(`restore --check ${folder}`);
    expect([checked.exitCode, checked.out]).toEqual([0, expect.not.stringContaining('Not restored yet')]);
    const restored = await elsewhere.run(`restore ${folder}`);
    expect([restored.exitCode, restored.out]).toEqual([0, expect.stringContaining('SECRET_KEYS holds them')]);
    expect(existsSync(join(elsewhere.dataDir, 'evidence', clientId, FILE.verificationId, FILE.fileId))).toBe(true);
    const again = await createPostgresStorage({ url, migrate: false });
    onTestFinished(() => again.close());
    expect(await lastNamesIn(again, sealed)).toHaveLength(COUNT);
    // The constraints came along: each reference still has one active verification.
    await givenSealedVerifications(again, sealed);
    expect(await contentsOf(database)).toEqual(before);
  });
});
