// Starts the command line for each case: locks, signals and exit codes are about processes.
import { hash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createEvidenceFolder, createFileEvidenceStore } from '@countersign/evidence';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { change, everyRow } from '@countersign/test-support/installation/database-file';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { newOperator, type Operator } from '../../test-support/operator.ts';
import { givenSealedVerifications } from '../../test-support/sealed-verifications.ts';
import { givenSignedOnUser } from '../../test-support/signed-on-user.ts';
import type { Manifest } from '../database/manifest.ts';
import type { Backup } from './back-up.ts';

const SECRET = Buffer.alloc(32, 1);
const SECRET_KEYS = SECRET.toString('base64url');
const OTHER = Buffer.alloc(32, 2).toString('base64url');
const FILE = { verificationId: '0198c0de-0000-7000-8000-000000000000', fileId: 'file-1' };

function operatorWith(secretKeys: string = SECRET_KEYS, environment: Record<string, string> = {}): Operator {
  return newOperator({ SECRET_KEYS: secretKeys, ...environment });
}

/** An installation with two sealed verifications and three files, and the folder for a backup of it. */
async function given() {
  const operator = operatorWith();
  const { id: clientId } = await operator.newClient();
  const database = join(operator.dataDir, 'countersign.db');
  const storage = await createSqliteStorage({ file: database });
  await givenSealedVerifications(storage, { clientId, count: 2, secretKeys: [SECRET] });
  await storage.close();
  const store = createFileEvidenceStore({ directory: join(operator.dataDir, 'evidence') });
  for (const fileId of ['file-1', 'file-2', 'file-3'])
    await store.put({ ...FILE, clientId, fileId }, randomBytes(5_000));
  const folder = join(temporaryFolder(), 'backup');
  return { operator, clientId, database, folder, store };
}

/** Runs a command that must succeed, and returns what it prints as JSON. Its progress is on standard error. */
async function jsonOf<T>(operator: Operator, command: string): Promise<T> {
  const { exitCode, out, err } = await operator.run(command, '--json');
  if (exitCode !== 0) throw new Error(err);
  return JSON.parse(out) as T;
}

async function givenBackup() {
  const installation = await given();
  expect(await installation.operator.run(`backup ${installation.folder}`)).toMatchObject({ exitCode: 0 });
  return installation;
}

/** Lists the files below a folder with their contents. */
function contentsBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(folder.length),
      readFileSync(join(parentPath, name), 'base64'),
    ]),
  );
}

const evidenceIn = ({ dataDir }: Operator) =>
  Object.fromEntries(
    Object.entries(contentsBelow(join(dataDir, 'evidence'))).filter(([path]) => !path.startsWith('/.')),
  );

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
});

describe('restore', () => {
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

  test('backup: refuses the database of a newer version, and leaves no folder', async () => {
    const { operator, folder, database } = await given();
    change(database, INSERT_LATER);
    const { exitCode, err } = await operator.run(`backup ${folder}`);
    expect([exitCode, err]).toEqual([1, expect.stringContaining('newer version')]);
    expect(existsSync(folder)).toBe(false);
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

/** Makes a database look as if a later version had migrated it. */
const INSERT_LATER = "INSERT INTO countersign_migrations (hash, created_at) VALUES ('later', 9999999999999)";

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
