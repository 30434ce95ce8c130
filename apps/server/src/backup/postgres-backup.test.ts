// Runs pg_dump and pg_restore on a Postgres.
import { hash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileEvidenceStore } from '@countersign/evidence';
import { createKeyRing, createSealedEvidenceStore } from '@countersign/sealing';
import { createPostgresStorage } from '@countersign/storage-postgres';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newOperator, type Operator } from '../../test-support/operator.ts';
import { givenSealedVerifications } from '../../test-support/sealed-verifications.ts';
import type { Manifest } from '../database/manifest.ts';

const SECRET = Buffer.alloc(32, 1);
const FILE_ID = 'file-1';
const VERIFICATION_ID = '0198c0de-0000-7000-8000-000000000000';

/** Takes the place of pg_dump: writes its arguments and the variables of the connection into the dump. */
const PG_DUMP = `#!/bin/sh
for last; do :; done
{ echo "$@"; echo "$PGHOST $PGPORT $PGUSER $PGDATABASE"; } > "$last"
`;

const TOO_OLD = `#!/bin/sh
echo 'pg_dump: error: aborting because of server version mismatch' >&2
exit 1
`;

describeWith(['postgres'], 'backup of PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  function operatorOn(url: string, path: string): Operator {
    const operator = newOperator({ DATABASE_URL: url, SECRET_KEYS: SECRET.toString('base64url'), PATH: path });
    return operator;
  }

  /** A database with a sealed verification that names a file, and a folder with a pg_dump. */
  async function given() {
    const url = await server.createDatabase();
    const programs = temporaryFolder();
    writeFileSync(join(programs, 'pg_dump'), PG_DUMP);
    chmodSync(join(programs, 'pg_dump'), 0o755);
    const operator = operatorOn(url, `${programs}:/usr/bin:/bin`);
    const { id: clientId } = await operator.newClient();
    const storage = await createPostgresStorage({ url });
    await givenSealedVerifications(storage, { clientId, count: 1, secretKeys: [SECRET], fileIds: [FILE_ID] });
    const files = createFileEvidenceStore({ directory: join(operator.dataDir, 'evidence') });
    const store = createSealedEvidenceStore(files, { keys: createKeyRing([SECRET]), dataKeys: storage.dataKeys });
    await store.put({ clientId, verificationId: VERIFICATION_ID, fileId: FILE_ID }, Uint8Array.of(1, 2, 3));
    await storage.close();
    const folder = join(temporaryFolder(), 'backup');
    return { url, operator, clientId, folder };
  }

  test('runs pg_dump with the connection in the environment, and copies the evidence', async () => {
    const { url, operator, folder } = await given();

    expect(await operator.run(`backup ${folder}`)).toMatchObject({ exitCode: 0 });

    expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', 'countersign.dump', 'evidence', 'manifest.json']);
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    expect(manifest).toMatchObject({
      database: { kind: 'postgres', file: 'countersign.dump' },
      evidence: { files: 1 },
    });
    expect(manifest.secrets.inUse).toEqual(manifest.secrets.ring);
    const { hostname, port, username, pathname } = new URL(url);
    const [args, connection] = readFileSync(join(folder, 'countersign.dump'), 'utf8').split('\n');
    expect(args).toMatch(/^--format=custom --no-password .*--file .*countersign\.dump$/);
    expect(connection).toBe(`${hostname} ${port} ${username} ${pathname.slice(1)}`);
  });

  test('lets no other user read a file of the backup', async () => {
    const { operator, folder } = await given();
    await operator.run(`backup ${folder}`);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const modes = files.map(({ parentPath, name }) => [name, statSync(join(parentPath, name)).mode & 0o777]);
    expect(modes).toEqual(files.map(({ name }) => [name, 0o600]));
    expect(modes).toContainEqual(['countersign.dump', 0o600]);
  });

  test('backup of PostgreSQL with a pg_dump that is older than the server says what to do, and leaves nothing', async () => {
    const { url, folder } = await given();
    const programs = temporaryFolder();
    writeFileSync(join(programs, 'pg_dump'), TOO_OLD);
    chmodSync(join(programs, 'pg_dump'), 0o755);

    const { exitCode, err } = await operatorOn(url, `${programs}:/usr/bin:/bin`).run(`backup ${folder}`);

    expect([exitCode, err]).toEqual([
      1,
      expect.stringMatching(/countersign: pg_dump failed \(1\): .*version mismatch.* --evidence-only\n$/),
    ]);
    expect(existsSync(folder)).toBe(false);
  });

  test('backup of PostgreSQL without pg_dump says what to do, and leaves nothing', async () => {
    const { url, folder } = await given();
    const { exitCode, err } = await operatorOn(url, '/nowhere').run(`backup ${folder}`);
    expect([exitCode, err]).toEqual([
      1,
      expect.stringMatching(/countersign: pg_dump is not on the PATH: .* --evidence-only\n$/),
    ]);
    expect(existsSync(folder)).toBe(false);
  });

  test('restore puts the evidence in place and checks that the secrets open the database', async () => {
    const { url, operator, folder, clientId } = await given();
    await operator.run(`backup ${folder} --evidence-only`);
    const elsewhere = operatorOn(url, '/nowhere');

    const { exitCode, out } = await elsewhere.run(`restore ${folder}`);

    expect([exitCode, out]).toEqual([0, expect.stringContaining('SECRET_KEYS holds them')]);
    expect(existsSync(join(elsewhere.dataDir, 'evidence', clientId, VERIFICATION_ID, FILE_ID))).toBe(true);
    expect((await elsewhere.run('doctor')).exitCode).toBe(0);
  });

  test('restore asks for the dump to be restored first; restore --check says so and passes', async () => {
    const { operator, folder } = await given();
    await operator.run(`backup ${folder}`);
    const empty = operatorOn(await server.createDatabase(), '/nowhere');

    expect(await empty.run(`restore ${folder}`)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('First restore countersign.dump with pg_restore'),
    });
    expect(readdirSync(empty.dataDir, { recursive: true })).toEqual(['evidence', join('evidence', '.in-use')]);
    const { exitCode, out } = await empty.run(`restore --check ${folder}`);
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/Not restored yet: .*pg_restore\nNo problems found/),
    ]);
  });

  test('backup of PostgreSQL with a migration that this version does not have is refused before the dump is restored', async () => {
    const { operator, folder } = await given();
    await operator.run(`backup ${folder}`);
    const manifest = join(folder, 'manifest.json');
    const text = readFileSync(manifest, 'utf8').replace('"migrations": [', '"migrations": ["0099_later", ');
    writeFileSync(manifest, text);
    const sums = join(folder, 'SHA256SUMS');
    const renewed = `${hash('sha256', text)}  manifest.json`;
    writeFileSync(sums, readFileSync(sums, 'utf8').replace(/^[0-9a-f]{64} {2}manifest\.json$/m, renewed));
    const empty = operatorOn(await server.createDatabase(), '/nowhere');

    const { exitCode, err } = await empty.run(`restore ${folder}`);

    expect([exitCode, err]).toEqual([
      1,
      expect.stringContaining('which is newer than this version: restore it with'),
    ]);
  });

  test('backup of PostgreSQL is not restored as SQLite', async () => {
    const { operator, folder } = await given();
    await operator.run(`backup ${folder} --evidence-only`);
    const sqlite = newOperator({ SECRET_KEYS: SECRET.toString('base64url') });
    const { exitCode, err } = await sqlite.run(`restore ${folder}`);
    expect([exitCode, err]).toEqual([
      1,
      expect.stringContaining('has a PostgreSQL database, and DATABASE_URL names a SQLite database'),
    ]);
  });
});
