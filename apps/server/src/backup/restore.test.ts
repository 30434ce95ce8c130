// Restores and checks a backup for each case, for one of them hundreds of times.
import { hash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createFileEvidenceStore } from '@countersign/evidence';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { change, everyRow } from '@countersign/test-support/installation/database-file';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import {
  evidenceIn,
  FILE,
  given,
  givenBackup,
  INSERT_LATER,
  jsonOf,
  OTHER,
  operatorWith,
  SECRET,
} from '../../test-support/given-backup.ts';
import { givenSealedVerifications } from '../../test-support/sealed-verifications.ts';
import type { Manifest } from '../database/manifest.ts';

describe('restore', () => {
  test('brings back thumbnails beside their files', async () => {
    const { operator, folder, clientId, store } = await given();
    const thumbnail = { ...FILE, clientId, fileId: `${FILE.fileId}-thumbnail` };
    await store.put(thumbnail, Uint8Array.of(4, 7, 1));
    expect(await operator.run(`backup ${folder}`)).toMatchObject({ exitCode: 0 });
    const elsewhere = operatorWith();
    expect((await elsewhere.run(`restore ${folder}`)).exitCode).toBe(0);
    const restored = createFileEvidenceStore({ directory: join(elsewhere.dataDir, 'evidence') });
    expect(Buffer.from((await restored.get(thumbnail)) ?? [])).toEqual(Buffer.of(4, 7, 1));
  });

  test('moves the present database aside with its log, so that the log cannot damage the restored one', async () => {
    const { operator, folder, clientId, store } = await givenBackup();
    const { dataDir } = operator;
    const rows = everyRow(join(dataDir, 'countersign.db'));
    await operator.newClient();
    // As a killed server leaves them.
    const [wal, shm] = [randomBytes(10_000), randomBytes(32_768)];
    writeFileSync(join(dataDir, 'countersign.db-wal'), wal);
    writeFileSync(join(dataDir, 'countersign.db-shm'), shm);
    writeFileSync(join(dataDir, 'countersign.db-serving'), '');
    const damaged = readFileSync(join(dataDir, 'countersign.db'));
    await store.put({ ...FILE, clientId: 'client-2' }, Uint8Array.of(1));
    await store.delete({ ...FILE, clientId });

    const { movedAside } = await jsonOf<{ movedAside: string[] }>(operator, `restore ${folder}`);

    expect(movedAside).toHaveLength(2);
    const [aside = '', evidenceAside = ''] = movedAside;
    expect(readFileSync(join(aside, 'countersign.db'))).toEqual(damaged);
    expect(readFileSync(join(aside, 'countersign.db-wal'))).toEqual(wal);
    expect(readFileSync(join(aside, 'countersign.db-shm'))).toEqual(shm);
    expect(readdirSync(aside)).toContain('countersign.db-serving');
    expect(readdirSync(dataDir)).not.toContain('countersign.db-serving');
    expect(readdirSync(evidenceAside).sort()).toEqual([clientId, 'client-2'].sort());
    expect(everyRow(join(dataDir, 'countersign.db'))).toEqual(rows);
    expect(Object.keys(evidenceIn(operator))).toHaveLength(3);
    expect((await operator.run('doctor')).exitCode).toBe(0);
  });

  test('finds one changed byte, wherever it is', async () => {
    const { folder } = await givenBackup();
    const elsewhere = operatorWith();
    const evidence =
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('file-1')) ?? '';
    let found = 0;
    for (const [name, every] of [
      ['SHA256SUMS', 5],
      ['manifest.json', 17],
      [evidence, 499],
      ['countersign.db', 9_973],
    ] as const) {
      const file = join(folder, name);
      const sound = readFileSync(file);
      for (let at = 0; at < sound.length; at += every) {
        const changed = Buffer.from(sound);
        changed[at] = (changed[at] ?? 0) ^ 1;
        writeFileSync(file, changed);
        const { exitCode } = await elsewhere.run(`restore ${folder} --check`);
        if (exitCode !== 1) expect.unreachable(`byte ${at} of ${name} was changed unnoticed`);
        found += 1;
      }
      writeFileSync(file, sound);
    }
    expect(found).toBeGreaterThan(150);
    expect((await elsewhere.run(`restore ${folder} --check`)).exitCode).toBe(0);
    expect(readdirSync(elsewhere.dataDir)).toEqual([]);
  });

  test.each<[string, (folder: string) => void, RegExp]>([
    [
      'lacks its list',
      (folder) => rmSync(join(folder, 'SHA256SUMS')),
      /is not a complete backup: SHA256SUMS is missing/,
    ],
    ['lacks its manifest', (folder) => rmSync(join(folder, 'manifest.json')), /manifest\.json is missing/],
    ['lacks its database', (folder) => rmSync(join(folder, 'countersign.db')), /countersign\.db is missing/],
    [
      'lacks a file',
      (folder) => rmSync(join(folder, 'evidence'), { recursive: true }),
      /evidence\/.* is missing \(and 2 more/,
    ],
    ['lost a line of its list', (folder) => cutLine(join(folder, 'SHA256SUMS')), /SHA256SUMS (is damaged|lists)/],
    [
      'names a file outside',
      (folder) => appendFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  evidence/../../x\n`),
      /names in line 6 a file that a backup cannot have/,
    ],
    [
      'names an absolute path',
      (folder) => appendFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  /etc/passwd\n`),
      /names in line 6 a file that a backup cannot have/,
    ],
  ])('refuses a backup that %s, and changes nothing', async (_, spoil, message) => {
    const { operator, folder, database } = await givenBackup();
    spoil(folder);
    const before = [readFileSync(database), evidenceIn(operator)];

    const { exitCode, out, err } = await operator.run(`restore ${folder}`);

    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toMatch(message);
    expect([readFileSync(database), evidenceIn(operator)]).toEqual(before);
  });

  test.each([
    [
      'other secrets',
      OTHER,
      /sealed by the secret [0-9a-f]{16}, but SECRET_KEYS holds [0-9a-f]{16}: set SECRET_KEYS to the key ring/,
    ],
    ['no secrets', '', /sealed by the secret [0-9a-f]{16}, but SECRET_KEYS is not set/],
  ])('refuses %s and names the key that is needed', async (_, secretKeys, message) => {
    const { folder } = await givenBackup();
    const elsewhere = operatorWith(secretKeys);
    const { exitCode, err } = await elsewhere.run(`restore ${folder}`);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(message)]);
    expect(existsSync(join(elsewhere.dataDir, 'countersign.db'))).toBe(false);
  });

  test('accepts secrets that lack only one that is lost for good', async () => {
    const { folder, operator } = await givenBackup();
    const settings = { DATA_DIR: operator.dataDir, SECRET_KEYS: OTHER };
    const { out } = await runCommand(['restore', '--check', folder], settings);
    const [, name = ''] = /sealed by the secret ([0-9a-f]{16})/.exec(out) ?? [];
    const accepted = await runCommand(['restore', '--check', folder], { ...settings, LOST_SECRETS: name });
    expect([accepted.exitCode, accepted.out]).toEqual([0, expect.not.stringContaining('cannot be read')]);
  });

  test.each<[string, (folder: string) => void, string]>([
    [
      'with a later migration',
      (folder) => change(join(folder, 'countersign.db'), INSERT_LATER),
      'which is newer than this version: restore it with Countersign 7.8.9',
    ],
    [
      'with a later format',
      (folder) => changeManifest(folder, (text) => text.replace('"format": 1', '"format": 2, "later": true')),
      'which is newer than this version: restore it with Countersign 7.8.9',
    ],
    [
      'whose first migration was edited since',
      (folder) =>
        change(
          join(folder, 'countersign.db'),
          "UPDATE countersign_migrations SET hash = 'of another text'; ALTER TABLE verifications DROP COLUMN flow_version",
        ),
      'whose database this version cannot upgrade: restore it with the program that made it',
    ],
  ])('refuses a backup %s in one line, and changes nothing', async (_, spoil, message) => {
    const { operator, folder, database } = await givenBackup();
    const rows = everyRow(database);
    spoil(folder);
    changeManifest(folder, (text) => text.replace(/"version": "[^"]*"/, '"version": "7.8.9"'));
    renewChecksums(folder);

    const { exitCode, out, err } = await operator.run(`restore ${folder}`);

    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err.split('\n').filter((line) => line.startsWith('countersign: '))).toEqual([
      expect.stringMatching(
        new RegExp(`^countersign: (Nothing was restored: )?The backup was made by Countersign 7.8.9, ${message}$`),
      ),
    ]);
    expect(everyRow(database)).toEqual(rows);
    expect(readdirSync(operator.dataDir).filter((name) => name.startsWith('before-'))).toEqual([]);
  });

  test('refuses a database that a server serves, and changes nothing', async () => {
    const { operator, folder, database } = await givenBackup();
    const { lockForServing } = await import('@countersign/storage-sqlite');
    const lock = lockForServing(database);
    const before = readFileSync(database);

    const { exitCode, err } = await operator.run(`restore ${folder}`);
    lock.release();

    expect([exitCode, err]).toEqual([1, `countersign: A server serves the database ${database}: stop it first\n`]);
    expect(readFileSync(database)).toEqual(before);
  });

  test('when interrupted: the database cannot be opened until the next restore finishes it', async () => {
    const { operator, folder, database } = await givenBackup();
    const { dataDir } = operator;
    const rows = everyRow(database);
    cpSync(join(folder, 'countersign.db'), `${database}.restoring`);
    const moves = [
      { place: database, aside: join(dataDir, 'aside', 'countersign.db'), staged: `${database}.restoring` },
    ];
    const { id } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    writeFileSync(`${database}-restore`, JSON.stringify({ backup: id, phase: 'aside', moves, leftovers: [] }));

    for (const command of ['client list', 'migrate', `backup ${folder}-2`, 'doctor']) {
      const { exitCode, out, err } = await operator.run(command);
      expect([exitCode, out + err]).toEqual([
        1,
        expect.stringContaining('was interrupted: run `countersign restore` again'),
      ]);
    }
    const { exitCode, out } = await operator.run(`restore ${folder}`);

    expect([exitCode, out]).toEqual([
      0,
      expect.stringContaining(`Finished the interrupted restore of backup ${id}`),
    ]);
    expect(everyRow(database)).toEqual(rows);
    expect(existsSync(join(dataDir, 'aside', 'countersign.db'))).toBe(true);
    expect((await operator.run('client list')).exitCode).toBe(0);
  });

  test('removes the copies of an earlier, killed restore', async () => {
    const { operator, folder, database } = await givenBackup();
    writeFileSync(`${database}.restoring`, 'half');
    mkdirSync(join(operator.dataDir, 'evidence', '.restoring', 'client-9'), { recursive: true });
    expect(await operator.run(`restore ${folder}`)).toMatchObject({ exitCode: 0 });
    expect(existsSync(`${database}.restoring`)).toBe(false);
    expect(Object.keys(evidenceIn(operator))).toHaveLength(3);
  });

  test('warns of a file that the database names and the backup lacks', async () => {
    const { operator, folder, clientId } = await given();
    const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
    await givenSealedVerifications(storage, {
      clientId,
      count: 1,
      first: 7,
      secretKeys: [SECRET],
      fileIds: ['file-9'],
    });
    await storage.close();
    await operator.run(`backup ${folder}`);

    const { exitCode, out } = await operatorWith().run(`restore ${folder}`);

    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(/^Warning: File file-9 of verification .* is missing/m),
    ]);
  });
});

function changeManifest(folder: string, edit: (text: string) => string): void {
  const file = join(folder, 'manifest.json');
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
}

/** Lists the present checksums, as if the backup had been made so. */
function renewChecksums(folder: string): void {
  const list = join(folder, 'SHA256SUMS');
  const paths = readFileSync(list, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(66));
  const sums = paths.map((path) => `${hash('sha256', readFileSync(join(folder, path)))}  ${path}\n`);
  writeFileSync(list, sums.join(''));
}

/** Removes the first line of a file. */
function cutLine(file: string): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(file, `${lines.slice(1).join('\n')}\n`);
}
