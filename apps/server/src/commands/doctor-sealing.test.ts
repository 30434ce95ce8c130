// Starts the command line for each case, on sealed installations.
import { readdirSync } from 'node:fs';
import { createKeyRing } from '@countersign/sealing';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { change } from '@countersign/test-support/installation/database-file';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { type Operator, operatorOfEachTest } from '../../test-support/operator.ts';
import { givenSealedVerifications } from '../../test-support/sealed-verifications.ts';
import type { DoctorReport } from './doctor.ts';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const LOST = Buffer.alloc(32, 3);
const [newestKey, lostName] = [NEW, LOST].map((secret) => createKeyRing([secret]).newest) as [string, string];

async function givenSealed(operator: Operator, secretKeys: Buffer[], count: number): Promise<void> {
  const { id: clientId } = await operator.newClient();
  const storage = await createSqliteStorage({ file: `${operator.dataDir}/countersign.db` });
  await givenSealedVerifications(storage, { clientId, count, secretKeys });
  await storage.close();
}

describe('doctor', () => {
  const SECRET_KEYS = [NEW, OLD].map((secret) => secret.toString('hex')).join(',');
  const operator = operatorOfEachTest(() => ({ SECRET_KEYS }));

  test('counts the data keys that older keys wrapped, and names the command that re-wraps them', async () => {
    await givenSealed(operator, [OLD], 3);
    expect(await operator.json<DoctorReport>('doctor')).toMatchObject({
      ok: true,
      sealing: { newestKey, keys: 2, olderDataKeys: 3 },
      evidence: { apartFromDataDir: false },
    });
    expect((await operator.run('doctor')).out).toContain(
      `\nSecrets 2, the newest ${newestKey}; sealed by older secrets: data keys 3, webhook secrets 0, index keys 0, second factors 0 (run countersign keys rotate)\n`,
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
      '; sealed by older secrets: data keys 0, webhook secrets 0, index keys 0, second factors 0\n',
    );
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

  test('reports the secrets without a database, and creates no files', async () => {
    const { out } = await operator.run('doctor --json');
    expect(JSON.parse(out)).toMatchObject({ ok: false, sealing: { newestKey, keys: 2, olderDataKeys: null } });
    expect(readdirSync(operator.dataDir)).toEqual([]);
  });
});
