// Kills backups and restores at many points, under load.
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EvidenceFile } from '@countersign/domain/evidence';
import { createFileEvidenceStore } from '@countersign/evidence';
import { createApiClient, dataOf, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import {
  change,
  everyRow,
  idsIn,
  integrityOf,
  tallyOf,
} from '@countersign/test-support/installation/database-file';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { extent } from '@countersign/test-support/installation/extent';
import { newInstallation } from '@countersign/test-support/installation/installation';
import { askForEverything } from '@countersign/test-support/installation/operator';
import { storedFilesOf } from '@countersign/test-support/installation/stored-files';
import { noisyJpeg } from '@countersign/test-support/pages/pictures';
import { openSubjectForms, type SubjectForms } from '@countersign/test-support/pages/subject-forms';
import { type Running, start } from '@countersign/test-support/processes/child-process';
import {
  countersign,
  countersignHere,
  runCountersignHere,
} from '@countersign/test-support/processes/command-line';
import { PROGRAM, startServer } from '@countersign/test-support/processes/server-process';
import { steadily } from '@countersign/test-support/processes/steadily';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describe, expect, it } from 'vitest';

const SECRET_KEYS = Buffer.alloc(32, 7).toString('base64url');
const WRITES_PER_SECOND = 50;
const AT_ONCE = 5;
const SUBJECTS = 3;
/** Each upload starts a decoder, and without a pause they would take a core of the machine. */
const BETWEEN_UPLOADS_MS = 150;

describe('a backup under load', () => {
  it('restored on another machine, has every change acknowledged before its start, files included', async () => {
    const env = { SECRET_KEYS, ERASURE_LOG_URL: `file:${temporaryFolder()}` };
    const server = await startServer({ env });
    const { api, clientId, key } = await givenApi(server, { monthlyLimit: 1_000_000 });
    await askForEverything(server, clientId);
    const picture = await noisyJpeg(0.3);
    const subjects: { id: string; path: string; forms: SubjectForms }[] = [];
    for (let n = 0; n < SUBJECTS; n += 1) {
      const answer = await api.post(newSubject(`subject-${n}`));
      const url = String(dataOf(answer).verificationUrl);
      const forms = await openSubjectForms(url, 'kyc');
      await forms.walk({ file: () => new Blob([new Uint8Array(picture)]) }, 'proof-of-address');
      subjects.push({ id: idOf(answer), path: new URL(url).pathname, forms });
    }
    const acknowledged = new Set<string>();
    let created = 0;
    let uploads = 0;
    const creating = steadily(AT_ONCE, async () => {
      const reference = `user_${created++}`;
      acknowledged.add(idOf(await api.post({ ...newSubject(reference), metadata: { a: 'x'.repeat(2_000) } })));
      await pause((1_000 * AT_ONCE) / WRITES_PER_SECOND);
    });
    const uploading = steadily(1, async () => {
      const { forms } = subjects[uploads % SUBJECTS] as (typeof subjects)[number];
      const { status } = await forms.upload('proof-of-address', new Blob([new Uint8Array(picture)]));
      // A verification has a limited number of files.
      if (status === 303) uploads += 1;
      await pause(BETWEEN_UPLOADS_MS);
    });
    await until(() => acknowledged.size >= 100 && uploads >= 2 * SUBJECTS);
    const before = [...acknowledged];
    const filesBefore = new Map<string, readonly EvidenceFile[]>();
    for (const { id } of subjects) filesBefore.set(id, await storedFilesOf(server, id));

    const folder = join(temporaryFolder(), 'backup');
    const began = performance.now();
    await countersign(['backup', folder], server.env);
    const seconds = (performance.now() - began) / 1_000;
    const during = acknowledged.size - before.length;
    await creating.stop();
    await uploading.stop();
    const still = new Map<string, Set<string>>();
    for (const { id } of subjects)
      still.set(id, new Set((await storedFilesOf(server, id)).map((each) => each.id)));
    await server.kill();
    rmSync(server.dataDir, { recursive: true });

    const dataDir = join(temporaryFolder(), 'elsewhere');
    const place = { ...env, DATA_DIR: dataDir };
    expect(await countersignHere(['restore', folder], place)).toMatchObject({ warnings: [], movedAside: [] });

    const file = join(dataDir, 'countersign.db');
    const kept = idsIn(file, clientId);
    expect(before.filter((id) => !kept.has(id))).toEqual([]);
    const rows = kept.size;
    expect(tallyOf(file, clientId)).toMatchObject({ rows, used: rows, counted: rows, created: rows });
    expect(integrityOf(file)).toBe('ok');
    const restored = await startServer({ dataDir, env });
    const again = createApiClient(restored.baseUrl, key);
    let files = 0;
    for (const { id, path } of subjects) {
      const uploaded = await storedFilesOf(restored, id);
      // A file that a later upload replaced may be gone, any other may not.
      const expected = filesBefore.get(id)?.filter((each) => still.get(id)?.has(each.id)) ?? [];
      const there = new Set(uploaded.map((each) => each.id));
      expect(expected.filter((each) => !there.has(each.id))).toEqual([]);
      const forms = await openSubjectForms(`${restored.origin}${path}`, 'kyc');
      for (const { id: fileId, sha256 } of uploaded) {
        const content = Buffer.from(await (await forms.get(`files/${fileId}`)).arrayBuffer());
        expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
        files += 1;
      }
    }
    expect((await again.post(newSubject('one more'))).status).toBe(201);
    expect(await countersignHere(['doctor'], restored.env)).toMatchObject({
      ok: true,
      verifications: { missingFiles: 0 },
    });
    expect(files).toBeGreaterThanOrEqual(SUBJECTS);
    console.info(
      `backup under load: ${before.length} verifications and ${files} files kept, ${during} written during ${seconds.toFixed(1)} s`,
    );
  });

  it('refuses a folder that is not empty, and restore refuses a served database', async () => {
    const server = await startServer();
    const refused = await runCountersignHere(['backup', server.dataDir], server.env);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^countersign: [^\n]+\n$/),
    });
    const folder = join(temporaryFolder(), 'backup');
    await countersignHere(['backup', folder], server.env);

    const { code, stderr } = await runCountersignHere(['restore', folder], server.env);

    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^countersign: A server serves the database .*: stop it first\n$/),
    ]);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    expect(integrityOf(server.databaseFile)).toBe('ok');
  });
});

const ROUNDS = extent({ full: 30, short: 3 });
const CLIENTS = extent({ full: 400, short: 100 });

/** When a backup is killed: before it has copied anything, in the evidence, in the database, and later in the evidence. */
const BACKUP_KILLED_AT: readonly ((running: Running, folder: string) => Promise<unknown>)[] = [
  (_, folder) => untilThere(folder, 0),
  (running) => running.says(/copying evidence/),
  (running) => running.says(/copying the database/),
  (_, folder) => untilThere(join(folder, 'evidence'), 100),
];

/** When a restore is killed: while it copies, while it moves, while it checks, and again while it moves. */
const KILLED_AT: readonly ((running: Running, file: string) => Promise<unknown>)[] = [
  (_, file) => untilThere(`${file}.restoring`, 100),
  (_, file) => untilThere(`${file}-restore`, 30),
  (running) => running.says(/comparing checksums/),
  (_, file) => untilThere(`${file}-restore`, 300),
];

/** Waits for a file, and then up to some milliseconds. */
async function untilThere(file: string, laterMs: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!existsSync(file) && performance.now() < deadline) await pause(1);
  await pause(Math.random() * laterMs);
}

describe('kill -9', { timeout: 1_200_000 }, () => {
  it(`during a backup leaves no folder that looks complete, ${ROUNDS} times`, async () => {
    const { file, env } = await givenInstallation('one');
    let [early, inEvidence, complete, finished] = [0, 0, 0, 0];
    // A busy machine may send a kill too late: more rounds follow until kills have hit both parts of the backup.
    const isShown = () => Math.min(early, inEvidence) > 0;
    for (let round = 0; round < ROUNDS || (!isShown() && round < ROUNDS + 10); round += 1) {
      const folder = join(temporaryFolder(), 'backup');
      const running = start(process.execPath, [PROGRAM, 'backup', folder], { env });
      await BACKUP_KILLED_AT[round % BACKUP_KILLED_AT.length]?.(running, folder);
      running.signal('SIGKILL');
      const { signal } = await running.finished;
      const isComplete = existsSync(join(folder, 'SHA256SUMS'));
      const checked = await runCountersignHere(['restore', '--check', '--complete-erasure-log', folder], env);

      if (isComplete) expect(checked.code).toBe(0);
      else expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a complete backup') });
      if (signal !== 'SIGKILL') finished += 1;
      else if (isComplete) complete += 1;
      else if (existsSync(join(folder, 'evidence'))) inEvidence += 1;
      else early += 1;
    }
    expect(isShown()).toBe(true);
    console.info(
      `kill -9 during backup: ${early} before the evidence, ${inEvidence} in the evidence, ${complete} when complete, ${finished} too late`,
    );
    expect(integrityOf(file)).toBe('ok');
    const folder = join(temporaryFolder(), 'backup');
    await countersignHere(['backup', folder], env);
    expect((await runCountersignHere(['restore', '--check', '--complete-erasure-log', folder], env)).code).toBe(0);
  });

  it(`during a restore leaves the old installation, or one that the next restore finishes, ${ROUNDS} times`, async () => {
    const made = await givenInstallation('new');
    const folder = join(temporaryFolder(), 'backup');
    await countersignHere(['backup', folder], made.env);
    const expected = { rows: everyRow(made.file), files: namesIn(made.dataDir) };
    const old = await givenInstallation('old');
    const oldRows = everyRow(old.file);
    let [killedBefore, killedIn, finished] = [0, 0, 0];

    for (let round = 0; round < ROUNDS; round += 1) {
      const dataDir = temporaryFolder();
      cpSync(old.dataDir, dataDir, { recursive: true });
      const [file, env] = [join(dataDir, 'countersign.db'), { DATA_DIR: dataDir }];
      // Its receipts were made without a log.
      const restore = ['restore', '--complete-erasure-log', folder];
      const running = start(process.execPath, [PROGRAM, ...restore], { env });
      await Promise.race([KILLED_AT[round % KILLED_AT.length]?.(running, file), running.finished]);
      running.signal('SIGKILL');
      const ended = await running.finished;

      if (ended.signal !== 'SIGKILL') finished += 1;
      else if (existsSync(`${file}-restore`)) {
        killedIn += 1;
        const refused = await runCountersignHere(['client', 'list'], env);
        expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was interrupted') });
        expect(everyRow(movedAsideIn(dataDir) ?? file)).toEqual(oldRows);
      } else if (!readdirSync(dataDir).some((name) => name.startsWith('before-restore-'))) {
        killedBefore += 1;
        expect(everyRow(file)).toEqual(oldRows);
        expect(namesIn(dataDir)).toEqual(namesIn(old.dataDir));
      } else expect(everyRow(file)).toEqual(expected.rows);
      await countersignHere(restore, env);
      expect(everyRow(file)).toEqual(expected.rows);
      expect(namesIn(dataDir)).toEqual(expected.files);
      expect(integrityOf(file)).toBe('ok');
    }
    expect(Math.min(killedBefore, killedIn)).toBeGreaterThan(0);
    console.info(
      `kill -9 during restore: ${killedBefore} before the first move, ${killedIn} between moves, ${finished} too late`,
    );
  });
});

/** An installation with rows and with files of many clients, which a restore moves one after another. */
async function givenInstallation(name: string) {
  const file = await newInstallation(500);
  // Its data keys are no real ones: no secret opens them.
  change(file, 'UPDATE verifications SET data_key = NULL, data_key_wrapped_by = NULL WHERE data_key IS NOT NULL');
  const dataDir = join(file, '..');
  const store = createFileEvidenceStore({ directory: join(dataDir, 'evidence') });
  for (let n = 0; n < CLIENTS; n += 1) {
    const place = { clientId: `client-${n}`, verificationId: `${name}-${n}`, fileId: `file-${n}` };
    await store.put(place, randomBytes(2_000));
  }
  return { file, dataDir, env: { DATA_DIR: dataDir } };
}

/** Finds the database that a restore has moved aside. */
function movedAsideIn(dataDir: string): string | undefined {
  const folder = readdirSync(dataDir).find((name) => name.startsWith('before-restore-'));
  const file = join(dataDir, folder ?? '.', 'countersign.db');
  return folder !== undefined && existsSync(file) ? file : undefined;
}

/** Lists the evidence that servers see. */
function namesIn(dataDir: string): string[] {
  const evidence = join(dataDir, 'evidence');
  const names = filesBelow(evidence).map((file) => file.slice(evidence.length + 1));
  return names.filter((name) => !name.startsWith('.')).sort();
}
