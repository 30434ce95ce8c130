// Restores a Postgres and a bucket of a server of the S3 API.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createS3Evidence } from '@countersign/evidence-s3';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import {
  describeWith,
  type PostgresServer,
  type S3Server,
  startPostgres,
  startS3,
} from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { newOperator } from '../../test-support/operator.ts';
import { givenSealedVerifications } from '../../test-support/sealed-verifications.ts';

const SECRET = Buffer.alloc(32, 1);
const FILE = { verificationId: '0198c0de-0000-7000-8000-000000000000' };

describeWith(['s3', 'postgres'], 'restore on PostgreSQL with evidence in a bucket', () => {
  let s3: S3Server;
  let postgres: PostgresServer;
  beforeAll(async () => {
    [s3, postgres] = await Promise.all([startS3(), startPostgres({ fsync: false })]);
  });
  afterAll(async () => {
    await s3?.stop();
    await postgres?.stop();
  });

  test('restore: puts lost objects back beside a server, and marks nothing as unfinished', async () => {
    for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const place = { bucket: s3.createBucket(), prefix: 'x', endpoint: s3.endpoint, pathStyle: true };
    const operator = newOperator({
      SECRET_KEYS: SECRET.toString('base64url'),
      DATABASE_URL: await postgres.createDatabase(),
      EVIDENCE_URL: `s3://${place.bucket}/${place.prefix}?endpoint=${place.endpoint}&path-style=on`,
    });
    await operator.run('migrate');
    const { store, close } = createS3Evidence(place);
    onTestFinished(close);
    const file = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'file-1' };
    await store.put(file, Buffer.of(1, 2, 3));
    const folder = join(temporaryFolder(), 'backup');
    expect(await operator.run(`backup ${folder} --evidence-only`)).toMatchObject({ exitCode: 0 });
    await store.delete(file);

    expect(await operator.run(`restore ${folder}`)).toMatchObject({ exitCode: 0 });

    expect(Buffer.from((await store.get(file)) ?? [])).toEqual(Buffer.of(1, 2, 3));
    expect(readdirSync(operator.dataDir).filter((name) => name.includes('restore'))).toEqual([]);
  });
});

describeWith(['s3'], 'commands with evidence in a bucket', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3?.stop());

  /** An installation with two files in a bucket. */
  async function given() {
    for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const bucket = s3.createBucket();
    const url = `s3://${bucket}/countersign?endpoint=${s3.endpoint}&path-style=on`;
    const operator = newOperator({ SECRET_KEYS: SECRET.toString('base64url'), EVIDENCE_URL: url });
    const { id: clientId } = await operator.newClient();
    const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
    await givenSealedVerifications(storage, { clientId, count: 2, secretKeys: [SECRET] });
    await storage.close();
    const evidence = createS3Evidence({ bucket, prefix: 'countersign', endpoint: s3.endpoint, pathStyle: true });
    onTestFinished(evidence.close);
    const place = (fileId: string) => ({ ...FILE, clientId, fileId });
    const contents = new Map<string, Buffer>();
    for (const fileId of ['file-1', 'file-2', 'file-3']) {
      contents.set(fileId, randomBytes(fileId === 'file-1' ? 6_000_000 : 5_000));
      await evidence.store.put(place(fileId), contents.get(fileId) ?? Buffer.of());
    }
    const objectOf = (fileId: string) =>
      join(s3.folder, bucket, 'countersign', clientId, FILE.verificationId, fileId);
    const folder = join(temporaryFolder(), 'backup');
    return { operator, bucket, url, evidence, place, contents, objectOf, folder };
  }

  test('backup and restore: a lost and a damaged object are put back, and newer ones stay', async () => {
    const { operator, evidence, place, contents, objectOf, folder } = await given();
    expect(await operator.run(`backup ${folder}`)).toMatchObject({ exitCode: 0 });
    const newer = randomBytes(1_000);
    await evidence.store.put(place('file-4'), newer);
    rmSync(objectOf('file-1'));
    writeFileSync(objectOf('file-2'), readFileSync(objectOf('file-2')).fill(7, 1_000));

    expect(await operator.run(`restore --check ${folder}`)).toMatchObject({ exitCode: 0 });
    expect(await operator.run(`restore ${folder}`)).toMatchObject({ exitCode: 0 });

    for (const [fileId, content] of contents) {
      expect(Buffer.compare((await evidence.store.get(place(fileId))) ?? Buffer.of(), content), fileId).toBe(0);
    }
    expect(Buffer.from((await evidence.store.get(place('file-4'))) ?? [])).toEqual(newer);
    expect(await operator.run('doctor')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(', writable\n'),
    });
  });

  test('restore: keeps a sound object whose copy in the backup is damaged', async () => {
    const { operator, evidence, place, contents, objectOf, folder } = await given();
    const sound = readFileSync(objectOf('file-2'));
    writeFileSync(objectOf('file-2'), Buffer.from(sound).fill(7, 1_000));
    await operator.run(`backup ${folder}`);
    writeFileSync(objectOf('file-2'), sound);
    await operator.run(`restore ${folder}`);
    expect(Buffer.from((await evidence.store.get(place('file-2'))) ?? [])).toEqual(contents.get('file-2'));
  });

  test('backup, restore and evidence copy: allow minutes for a file, for slow lines', async () => {
    const { operator, url, folder } = await given();
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => timeout.mockRestore());
    const longest = () => Math.max(...timeout.mock.calls.map(([ms]) => ms));
    const target = `file:${join(temporaryFolder(), 'evidence')}`;
    for (const command of [
      `backup ${folder}`,
      `restore ${folder}`,
      `evidence copy --from ${url} --to ${target}`,
    ]) {
      timeout.mockClear();
      await operator.run(command);
      expect(longest(), command).toBe(300_000);
    }
  });

  test('evidence copy: names a file that differs, and exits 1', async () => {
    const { operator, url, place } = await given();
    const { clientId } = place('file-1');
    const other = url.replace('/countersign?', '/other?');
    const settings = { bucket: new URL(url).hostname, prefix: 'other', endpoint: s3.endpoint, pathStyle: true };
    const evidence = createS3Evidence(settings);
    onTestFinished(evidence.close);
    await evidence.store.put(place('file-1'), randomBytes(10));
    const { exitCode, out } = await operator.run(`evidence copy --from ${url} --to ${other}`);
    expect(exitCode).toBe(1);
    expect(out).toContain(`${clientId}/${FILE.verificationId}/file-1 in s3://`);
    expect(out).toContain('has 2 of the 3 files of');
  });

  test('evidence copy: moves files from a folder into a bucket and back, byte for byte', async () => {
    const { operator, url, evidence } = await given();
    const folder = `file:${join(temporaryFolder(), 'evidence')}`;
    const copy = async (from: string, to: string) => {
      const { exitCode, out, err } = await operator.run(`evidence copy --from ${from} --to ${to} --json`);
      expect([exitCode, err.match(/error/)]).toEqual([0, null]);
      return JSON.parse(out) as unknown;
    };
    expect(await copy(url, folder)).toMatchObject({ files: 3, written: 3, damaged: [], others: 0 });
    expect(await copy(folder, url)).toMatchObject({ files: 3, written: 0 });
    for await (const { path } of evidence.files.list())
      rmSync(join(s3.folder, new URL(url).hostname, 'countersign', path));
    expect(await copy(folder, url)).toMatchObject({ files: 3, written: 3 });
  });

  test('evidence copy: refuses the same place twice, a wrong URL and a missing bucket in one line', async () => {
    const { operator, url } = await given();
    const copy = (from: string, to: string) => operator.run(`evidence copy --from ${from} --to ${to}`);
    expect(await copy(url, url)).toMatchObject({ exitCode: 2, err: expect.stringContaining('the same place') });
    expect(await copy('http://x', url)).toMatchObject({ exitCode: 2, err: expect.stringContaining('--from') });
    const missing = url.replace(/\/\/[^/]+/, '//no-such-bucket');
    expect(await copy(url, missing)).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^[^\n]*no-such-bucket[^\n]*create it, or correct its name \(NoSuchBucket\)\n$/),
    });
  });

  test('evidence copy: refuses a source without files, such as a misspelt folder or prefix', async () => {
    const { operator, url } = await given();
    const folder = join(temporaryFolder(), 'misspelt');
    for (const from of [`file:${folder}`, url.replace('/countersign?', '/misspelt?')]) {
      expect(await operator.run(`evidence copy --from ${from} --to ${url}`)).toMatchObject({
        exitCode: 1,
        out: '',
        err: expect.stringMatching(/misspelt[^\n]* has no files of verifications: correct --from\n$/),
      });
    }
  });

  test('doctor: names a bucket that is gone and still examines the database', async () => {
    const { operator, bucket } = await given();
    s3.deleteBucket(bucket);
    const { exitCode, out } = await operator.run('doctor');
    expect(exitCode).toBe(1);
    expect(out).toContain('not usable');
    expect(out).toContain('the evidence cannot be reached');
    expect(out).toMatch(
      /^EVIDENCE_URL cannot be used: s3:\/\/[^\n]+ is no bucket: create it[^\n]+\(NoSuchBucket\)$/m,
    );
    expect(await operator.run('backup', join(temporaryFolder(), 'backup'))).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('NoSuchBucket'),
    });
  });
});
