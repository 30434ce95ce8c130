import { readdirSync, truncateSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createFileEvidenceStore } from '@countersign/evidence';
import { createKeyRing, createSealedEvidenceStore } from '@countersign/sealing';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { change } from '@countersign/test-support/installation/database-file';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { newOperator, type Operator } from '../../test-support/operator.ts';
import { givenSealedVerifications } from '../../test-support/sealed-verifications.ts';
import type { DoctorReport } from './doctor.ts';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const LOST = Buffer.alloc(32, 3);
const [newestKey, lostName] = [NEW, LOST].map((secret) => createKeyRing([secret]).newest) as [string, string];

function operatorWith(...secrets: Buffer[]): Operator {
  const operator = newOperator({ SECRET_KEYS: secrets.map((secret) => secret.toString('hex')).join(',') });
  onTestFinished(operator.close);
  return operator;
}

async function givenSealed(
  operator: Operator,
  secretKeys: Buffer[],
  count: number,
  fileIds: readonly string[] = [],
): Promise<string> {
  const { id: clientId } = await operator.newClient();
  const storage = await createSqliteStorage({ file: `${operator.dataDir}/countersign.db` });
  await givenSealedVerifications(storage, { clientId, count, secretKeys, fileIds });
  await storage.close();
  return clientId;
}

describe('doctor', () => {
  let operator: Operator;
  beforeEach(() => {
    operator = operatorWith(NEW, OLD);
  });

  test('counts the data keys that older keys wrapped, and names the command that re-wraps them', async () => {
    await givenSealed(operator, [OLD], 3);
    expect(await operator.json<DoctorReport>('doctor')).toMatchObject({
      ok: true,
      sealing: { newestKey, keys: 2, olderDataKeys: 3 },
      evidence: { apartFromDataDir: false },
    });
    expect((await operator.run('doctor')).out).toContain(
      `\nSecrets 2, the newest ${newestKey}; sealed by older secrets: data keys 3, webhook secrets 0, second factors 0 (run countersign keys rotate)\n`,
    );
  });

  test('names a damaged verification of a secret that LOST_SECRETS names, but that was found again', async () => {
    await givenSealed(operator, [NEW], 1);
    change(`${operator.dataDir}/countersign.db`, "UPDATE verifications SET data_key = 'AAAA'");
    const found = { DATA_DIR: operator.dataDir, SECRET_KEYS: NEW.toString('hex'), LOST_SECRETS: newestKey };
    const { exitCode, out } = await runCommand(['doctor'], found);
    expect([exitCode, out]).toEqual([1, expect.stringMatching(/^Verification .* cannot be read: restore it/m)]);
  });

  test('counts none when the newest key wrapped all data keys', async () => {
    await givenSealed(operator, [NEW], 3);
    expect((await operator.run('doctor')).out).toContain(
      '; sealed by older secrets: data keys 0, webhook secrets 0, second factors 0\n',
    );
  });

  test('fails when SECRET_KEYS lacks the key that sealed a verification', async () => {
    await givenSealed(operator, [LOST], 2);
    const { exitCode, out } = await operator.run('doctor', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      sealing: { olderDataKeys: 2 },
      problems: [
        `SECRET_KEYS lacks secrets that sealed stored data, ${lostName}: add them, or name them in LOST_SECRETS if they are lost for good`,
      ],
    });
  });

  test('names no verification of a lost secret, and still one that is damaged', async () => {
    await givenSealed(operator, [LOST], 2);
    const environment = { DATA_DIR: operator.dataDir, SECRET_KEYS: NEW.toString('hex'), LOST_SECRETS: lostName };
    expect((await runCommand(['doctor'], environment)).out).toContain('No problems found');

    change(
      `${operator.dataDir}/countersign.db`,
      "UPDATE verifications SET data_key = 'AAAA', data_key_wrapped_by = ?",
      newestKey,
    );
    const { exitCode, out } = await runCommand(['doctor'], environment);
    expect([exitCode, out]).toEqual([1, expect.stringMatching(/Verification [0-9a-f-]+ cannot be read: restore/)]);
  });

  test('names a verification whose stored answers cannot be read', async () => {
    await givenSealed(operator, [NEW], 3);
    const database = new DatabaseSync(`${operator.dataDir}/countersign.db`);
    const { id } = database.prepare('SELECT id FROM verifications LIMIT 1').get() ?? {};
    database.prepare("UPDATE verifications SET answers = '{' WHERE id = ?").run(String(id));
    database.close();

    const { exitCode, out } = await operator.run('doctor', '--json');

    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      problems: [`Verification ${String(id)} cannot be read: restore it from a backup`],
    });
  });

  test('names files that verifications name and the evidence folder lacks', async () => {
    await givenSealed(operator, [NEW], 1, ['file-1', 'file-2']);

    const { exitCode, out } = await operator.run('doctor', '--json');

    expect(exitCode).toBe(1);
    const { verifications, problems } = JSON.parse(out) as DoctorReport;
    expect(verifications).toEqual({
      unreadable: 0,
      files: 2,
      missingFiles: 2,
      damagedFiles: 0,
      unopenedFiles: null,
    });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(
      /^File file-[12] of verification [0-9a-f-]+ is missing: restore it from a backup$/,
    );
  });

  test('names files that were cut off, and no whole ones', async () => {
    const clientId = await givenSealed(operator, [NEW], 1, ['file-1', 'file-2']);
    const storage = await createSqliteStorage({ file: `${operator.dataDir}/countersign.db` });
    const directory = `${operator.dataDir}/evidence`;
    const store = createSealedEvidenceStore(createFileEvidenceStore({ directory }), {
      keys: createKeyRing([NEW]),
      dataKeys: storage.dataKeys,
    });
    const verificationId = '0198c0de-0000-7000-8000-000000000000';
    for (const fileId of ['file-1', 'file-2']) {
      await store.put({ clientId, verificationId, fileId }, Uint8Array.of(1, 2, 3));
    }
    await storage.close();
    expect((await operator.run('doctor')).exitCode).toBe(0);

    for (const bytes of [0, 50]) {
      truncateSync(`${directory}/${clientId}/${verificationId}/file-1`, bytes);
      const { exitCode, out } = await operator.run('doctor', '--json');
      expect(exitCode).toBe(1);
      expect(JSON.parse(out)).toMatchObject({
        verifications: { files: 2, missingFiles: 0, damagedFiles: 1 },
        problems: [
          `File file-1 of verification ${verificationId} is damaged, its size is wrong: restore it from a backup`,
        ],
      });
    }
  });

  test('reports the secrets without a database, and creates no files', async () => {
    const { out } = await operator.run('doctor', '--json');
    expect(JSON.parse(out)).toMatchObject({ ok: false, sealing: { newestKey, keys: 2, olderDataKeys: null } });
    expect(readdirSync(operator.dataDir)).toEqual([]);
  });
});
