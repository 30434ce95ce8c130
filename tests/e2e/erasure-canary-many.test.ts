// Submits hundreds of verifications, because free space of a file appears with many.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce, idOf } from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { change, define, integrityOf } from '@countersign/test-support/installation/database-file';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import type { Trace } from '@countersign/test-support/installation/traces';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { beforeAll, describe, expect, it } from 'vitest';
import { filesOf, tracesIn } from './erasure-canaries/shown.ts';

/** So many that the pages of the table and of its indexes split, which leaves copies of values in their free space. */
const ROWS = 400;
const AT_ONCE = 10;
const isErased = (n: number): boolean => n % 4 !== 0;
const ERASED = Array.from({ length: ROWS }, (_, n) => n).filter(isErased).length;

describe('canaries of many erased verifications on SQLite', () => {
  const erased: Trace[] = [];
  const kept: Trace[] = [];
  let dataDir: string;
  let env: Environment;

  beforeAll(async () => {
    env = {
      SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
      ERASURE_LOG_URL: `file:${join(temporaryFolder(), 'erasures')}`,
      CLEAR_ERASED_SPACE_HOUR: 'off',
    };
    const given = await startServer({ env });
    dataDir = given.dataDir;
    const { api } = await givenApi(given, { monthlyLimit: ROWS });
    for (let first = 0; first < ROWS; first += AT_ONCE) {
      await atOnce(AT_ONCE, async (index) => {
        const n = first + index;
        const { subjectReference, key, metadata } = canariesOf(n, isErased(n) ? erased : kept);
        const subject = { subjectType: 'kyc', subjectReference, metadata: { [key]: metadata } };
        const id = idOf(await api.post(subject, { 'Idempotency-Key': key }));
        if (!isErased(n)) return;
        const { status } = await api.request(`/verifications/${id}/withdraw`, { method: 'POST' });
        expect(status).toBe(200);
      });
    }
    await given.stop();
    // As submissions label: subjects who upload pictures would take minutes.
    define(given.databaseFile, LABELS);
    for (const { label, status } of await rowsIn(given, LABELLED)) {
      const content = String(label);
      (status === 'rejected' ? erased : kept).push({ name: `label ${content}`, content });
    }

    const erasing = await startServer({ dataDir, env: { ...env, RETENTION_UNFINISHED: 'P0D' } });
    const finished = 'SELECT count(*) AS n FROM erasures WHERE finished_at IS NOT NULL';
    await until(async () => Number((await rowsIn(erasing, finished))[0]?.n) === ERASED);
    expect(await rowsIn(erasing, LABELLED)).toHaveLength(ROWS - ERASED);
    await erasing.stop();
    const [first] = erased;
    // SQLite leaves copies by chance, as rows move between pages: in some runs none. One more is sure to be there.
    define(
      erasing.databaseFile,
      `PRAGMA secure_delete = OFF;
       CREATE TABLE copies (value TEXT);
       INSERT INTO copies VALUES ('${String(first?.content)}');
       DROP TABLE copies;
       PRAGMA wal_checkpoint(TRUNCATE);`,
    );
  }, 300_000);

  it('would be found: the free space of the file has copies of them before it is cleared', async () => {
    expect(await tracesIn(filesOf('data', dataDir), erased)).not.toEqual([]);
  });

  it.each(['the command', 'the job of a server'])('are in no file after %s cleared the file', async (how) => {
    const copy = temporaryFolder();
    cpSync(dataDir, copy, { recursive: true });
    if (how === 'the command') {
      const cleared = await countersignHere(['clear-erased-space'], { ...env, DATA_DIR: copy });
      expect(cleared).toMatchObject({ outcome: 'cleared', erasures: ERASED });
    } else {
      const { CLEAR_ERASED_SPACE_HOUR: _, ...withJob } = env;
      // As 60 s later: then the job begins.
      change(join(copy, 'countersign.db'), 'UPDATE uncleared_erasures SET at = at - 60000');
      const server = await startServer({ dataDir: copy, env: withJob });
      await server.says(/cleared copies of erased values/);
      await server.stop();
    }
    const files = [...filesOf('data', copy)];
    expect(await tracesIn(files, erased)).toEqual([]);
    const found = await tracesIn(files, kept);
    expect(kept.filter(({ name }) => !found.some((line) => line.includes(`: ${name} as utf-8`)))).toEqual([]);
    expect(integrityOf(join(copy, 'countersign.db'))).toBe('ok');
  });
});

/** Labels each verification by a label that no other has. */
const LABELS = `
  INSERT INTO index_keys (client_id, version, value) SELECT DISTINCT client_id, 1, 'AAAA' FROM verifications;
  INSERT INTO indexed_verifications (client_id, verification_id, key_version, rules_version)
    SELECT client_id, id, 1, 1 FROM verifications;
  INSERT INTO index_entries (client_id, purpose, label, verification_id)
    SELECT client_id, 'person', 'label' || substr(id, 20), id FROM verifications`;

const LABELLED = `
  SELECT label, status FROM index_entries JOIN verifications ON verifications.id = index_entries.verification_id`;

/** Values of different lengths, which no other verification has. Adds a trace of each. */
function canariesOf(n: number, traces: Trace[]): { subjectReference: string; key: string; metadata: string } {
  const canary = (name: string, filled: number): string => {
    const content = `zyq-${name}-${n}-of-many`;
    traces.push({ name: `${name} of ${n}`, content });
    return `${content}-${'x'.repeat((n * 37) % filled)}`;
  };
  return { subjectReference: canary('reference', 200), key: canary('key', 15), metadata: canary('metadata', 400) };
}
