import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEvidenceFolder } from '@countersign/evidence';
import { change, everyRow } from '@countersign/test-support/installation/database-file';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, test } from 'vitest';
import {
  contentsBelow,
  evidenceIn,
  FILE,
  given,
  givenBackup,
  INSERT_LATER,
  jsonOf,
  operatorWith,
  SECRET,
  SECRET_KEYS,
} from '../../test-support/given-backup.ts';
import type { Operator } from '../../test-support/operator.ts';
import { givenSignedOnUser } from '../../test-support/signed-on-user.ts';
import type { Manifest } from '../database/manifest.ts';
import type { Backup } from './back-up.ts';

describe('backup', () => {
  test('writes database, evidence, manifest and checksums, for their owner only', async () => {
    const { operator, folder, clientId } = await given();

    const { manifest, databaseBytes } = await jsonOf<Backup>(operator, `backup ${folder}`);

    expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', 'countersign.db', 'evidence', 'manifest.json']);
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toEqual(manifest);
    expect(manifest).toMatchObject({
      database: { kind: 'sqlite', rows: { clients: 2, verifications: 2 } },
      secrets: { inUse: [expect.stringMatching(/^[0-9a-f]{16}$/)] },
      evidence: { files: 3 },
    } satisfies Partial<Record<keyof Manifest, unknown>>);
    expect(databaseBytes).toBe(statSync(join(folder, 'countersign.db')).size);
    expect(contentsBelow(join(folder, 'evidence'))).toEqual(evidenceIn(operator));
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    expect(sums.match(/^[0-9a-f]{64} {2}\S+$/gm)).toHaveLength(5);
    expect(sums).toContain(`  evidence/${clientId}/${FILE.verificationId}/file-2\n`);
    expect([folder, join(folder, 'SHA256SUMS')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o600,
    ]);
  });

  test('contains no secret', async () => {
    const { folder } = await givenBackup();
    const all = Object.values(contentsBelow(folder)).map((content) => Buffer.from(content, 'base64'));
    for (const content of all) {
      for (const secret of [SECRET, SECRET_KEYS, SECRET.toString('hex')])
        expect(content.includes(secret)).toBe(false);
    }
  });

  test('names files that were damaged before, exits with 1, and can be restored', async () => {
    const { operator, folder, clientId } = await given();
    const path = join(clientId, FILE.verificationId, 'file-2');
    const file = join(operator.dataDir, 'evidence', path);
    const content = readFileSync(file);
    content[content.length - 1] = (content.at(-1) ?? 0) ^ 1;
    writeFileSync(file, content);
    const cut = join(operator.dataDir, 'evidence', clientId, FILE.verificationId, 'file-3');
    writeFileSync(cut, 'countersign');

    const { exitCode, out } = await operator.run(`backup ${folder}`);

    expect(exitCode).toBe(1);
    const named = out.split('\n').filter((line) => line.includes('was damaged before'));
    expect(named.sort()).toEqual([
      `evidence/${path} was damaged before it was copied: restore it from an older backup`,
      expect.stringContaining('file-3 was damaged before'),
    ]);
    expect((await operator.run(`restore --check ${folder}`)).exitCode).toBe(0);
  });

  test('shows its progress on standard error', async () => {
    const { operator, folder } = await given();
    const { err } = await operator.run(`backup ${folder}`);
    expect(err).toMatch(/^copying the database: (\d+) of \1$/m);
    expect(err).toMatch(/^copying evidence: 3 of 3$/m);
  });

  test('allows deletions again when it succeeds and when it fails', async () => {
    const { operator, folder, store, clientId } = await givenBackup();
    expect((await operator.run(`backup ${folder}`)).exitCode).toBe(1);
    await store.delete({ ...FILE, clientId });
    expect(await store.get({ ...FILE, clientId })).toBeNull();
    expect(readdirSync(join(operator.dataDir, 'evidence', '.holds'))).toEqual([]);
  });

  test('backup has every file while another backup reads the same folder', async () => {
    const { operator, folder } = await given();
    const hold = await createEvidenceFolder(join(operator.dataDir, 'evidence')).holdDeletions();
    expect(await operator.run(`backup ${folder}`)).toMatchObject({ exitCode: 0 });
    expect(Object.keys(contentsBelow(join(folder, 'evidence')))).toHaveLength(3);
    await hold.release();
  });

  test.each<[string, (folder: string, operator: Operator) => string, RegExp]>([
    ['a folder that is not empty', (folder) => join(folder, '..'), /is not empty: choose a new folder/],
    ['a folder in DATA_DIR', (_, { dataDir }) => join(dataDir, 'a', 'b'), /is inside the folder of DATA_DIR/],
    ['DATA_DIR', (_, { dataDir }) => dataDir, /is inside the folder of DATA_DIR/],
    ['a file', (folder) => `${folder}-taken`, /cannot be written: a file is in its place/],
    [
      'a folder below a file',
      (folder) => join(`${folder}-taken`, 'x'),
      /cannot be written: a file is in its place/,
    ],
    ['a folder that cannot be made', () => '/proc/backup', /\/proc\/backup/],
  ])('refuses %s, and changes nothing', async (_, targetOf, message) => {
    const { operator, folder } = await given();
    writeFileSync(`${folder}-taken`, 'mine');
    const target = targetOf(folder, operator);
    const before = [contentsBelow(folder), evidenceIn(operator)];

    const { exitCode, out, err } = await operator.run(`backup ${target}`);

    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toMatch(/^countersign: [^\n]+\n$/);
    expect(err).toMatch(message);
    expect([contentsBelow(folder), evidenceIn(operator)]).toEqual(before);
  });

  test('refuses a folder in the erasure log', async () => {
    const erasures = join(temporaryFolder(), 'erasures');
    const operator = operatorWith(SECRET_KEYS, { ERASURE_LOG_URL: `file:${erasures}` });
    expect(await operator.run('backup', join(erasures, 'backup'))).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('is inside the folder of ERASURE_LOG_URL'),
    });
    expect(existsSync(erasures)).toBe(false);
  });

  test('refuses a missing database, and leaves no folder', async () => {
    const operator = operatorWith();
    const folder = join(temporaryFolder(), 'backup');
    expect(await operator.run(`backup ${folder}`)).toMatchObject({
      exitCode: 1,
      err: `countersign: There is no database at ${join(operator.dataDir, 'countersign.db')}\n`,
    });
    expect(existsSync(folder)).toBe(false);
  });

  test('--evidence-only is refused on SQLite', async () => {
    const { operator, folder } = await given();
    expect(await operator.run(`backup ${folder} --evidence-only`)).toMatchObject({ exitCode: 2 });
  });

  test('backup: refuses the database of a newer version, and leaves no folder', async () => {
    const { operator, folder, database } = await given();
    change(database, INSERT_LATER);
    const { exitCode, err } = await operator.run(`backup ${folder}`);
    expect([exitCode, err]).toEqual([1, expect.stringContaining('newer version')]);
    expect(existsSync(folder)).toBe(false);
  });
});

test('restore on another machine with the secrets: has the same rows and files', async () => {
  const { operator, folder, database } = await given();
  await givenSignedOnUser(operator, async (statement) => change(database, statement));
  expect(await operator.run(`backup ${folder}`)).toMatchObject({ exitCode: 0 });
  const elsewhere = operatorWith();

  const { exitCode, out } = await elsewhere.run(`restore ${folder}`);

  expect([exitCode, out]).toEqual([
    0,
    expect.stringMatching(/^Restored the backup of .*[\s\S]*SECRET_KEYS holds them/),
  ]);
  const restored = everyRow(join(elsewhere.dataDir, 'countersign.db'));
  expect(restored).toEqual(everyRow(database));
  expect([restored.staff_identities?.length, restored.staff_passkeys?.length]).toEqual([1, 1]);
  expect(evidenceIn(elsewhere)).toEqual(evidenceIn(operator));
  expect((await elsewhere.run('doctor')).exitCode).toBe(0);
});
