// Subjects fill every place with pictures that are decoded and read, and servers restart: only a whole installation shows what is left.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readingsOf } from '@countersign/test-support/installation/canary-courses';
import { define } from '@countersign/test-support/installation/database-file';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ERASED,
  elsewhere,
  eraseByJob,
  eraseByRequests,
  indexRowsOf,
  mailsAbout,
  type Planted,
  plantCanaries,
} from './erasure-canaries/planted.ts';
import {
  canariesShown,
  expectErasedFromIndex,
  expectUnharmed,
  filesOf,
  placesShowingErased,
  tracesIn,
  tracesOfErased,
  type Unharmed,
  unharmed,
} from './erasure-canaries/shown.ts';

/** The least number of canaries that can be read in a verification before it is erased. */
const CANARIES = 40;

describe('canaries of erased verifications on SQLite', () => {
  let planted: Planted;
  let erasureLog: string;
  let backup: string;
  let before: Unharmed;

  beforeAll(async () => {
    erasureLog = join(temporaryFolder(), 'erasures');
    backup = join(temporaryFolder(), 'backup');
    const given = await plantCanaries({
      SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
      ERASURE_LOG_URL: `file:${erasureLog}`,
    });
    for (const name of ['erasedByJob', 'kept'] as const) {
      expect((await canariesShown(given, name)).length).toBeGreaterThan(CANARIES);
    }
    const shown = await canariesShown(given, 'kept');
    expect(shown).toContainEqual(expect.stringMatching(/^note reason of a hold/));
    expect(shown).toContainEqual(expect.stringMatching(/^read (?:documentNumber|surname|givenNames)/));
    expect(await readingsOf(given.server, given.subjects.erasedByRequest.id)).toBeGreaterThan(0);
    expect(await indexRowsOf(given.server, given.subjects.erasedByJob.id)).toMatchObject({ labelled: 1 });
    const licence = await canariesShown(given, 'erasedByRequest');
    expect(licence).toContainEqual(expect.stringMatching(/^read number of a licence/));
    expect(licence).not.toContainEqual(expect.stringMatching(/^read head of a barcode/));
    before = await unharmed(given);
    await countersignHere(['backup', backup], given.server.env);
    await eraseByRequests(given);
    planted = await eraseByJob(given);
    define(planted.server.databaseFile, 'PRAGMA wal_checkpoint(TRUNCATE)');
  }, 300_000);

  it('would be found: the backup made before has all that is not encrypted', async () => {
    const found = await tracesIn(filesOf('backup', backup), tracesOfErased(planted));
    const names = ['subjectReference', 'metadata', 'key of metadata', 'return URL', 'Idempotency-Key'];
    for (const name of [...names, 'label document_number', 'label person', 'label file', 'kept warnings']) {
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`countersign\\.db: ${name} of subject 0 as`)));
    }
    expect(found).toContainEqual(expect.stringContaining('response to a webhook of subject 1'));
  });

  it('canaries of erased verifications on SQLite are in no file of the running server, nor in the erasure log', async () => {
    const { dataDir } = planted.server;
    const places = [...filesOf('data', dataDir), ...filesOf('erasures', erasureLog)];
    expect(places.map(([name]) => name)).toContain('erasures/000000/000000003.json');
    expect(await tracesIn(places, tracesOfErased(planted))).toEqual([]);
  });

  it('canaries of erased verifications on SQLite are in no answer of the API, page, delivery, metric or log, nor in the audit log', async () => {
    expect(await tracesIn(placesShowingErased(planted), tracesOfErased(planted))).toEqual([]);
  });

  it('readings of erased verifications on SQLite are gone, while those of others stay', async () => {
    const { server, subjects } = planted;
    for (const name of ERASED) expect([name, await readingsOf(server, subjects[name].id)]).toEqual([name, 0]);
    expect(await readingsOf(server, subjects.kept.id)).toBeGreaterThan(0);
  });

  it('labels of erased verifications on SQLite are gone from the index, while those of others stay', async () => {
    await expectErasedFromIndex(planted);
  });

  it('canaries of erased verifications on SQLite are in no mail that waits, while those about other verifications wait on', async () => {
    const { server, subjects } = planted;
    for (const name of ERASED) expect([name, await mailsAbout(server, subjects[name].id)]).toEqual([name, 0]);
    expect(await mailsAbout(server, subjects.kept.id)).toBeGreaterThan(0);
  });

  it('erasures on SQLite leave other verifications readable and every count as it was, and the audit log goes on', async () => {
    await expectUnharmed(planted, before);
  });

  it.each(['restore', 'a copy of the files'])(
    'canaries of erased verifications on SQLite are in no file of the backup after %s and its first start',
    async (how) => {
      const dataDir = temporaryFolder();
      const env = elsewhere(planted, { DATA_DIR: dataDir });
      if (how === 'restore')
        expect(await countersignHere(['restore', backup], env)).toMatchObject({ erasuresApplied: 3 });
      else cpSync(backup, dataDir, { recursive: true });
      const server = await startServer({ dataDir, env });
      define(server.databaseFile, 'PRAGMA wal_checkpoint(TRUNCATE)');

      expect(await tracesIn(filesOf('data', dataDir), tracesOfErased(planted))).toEqual([]);
      expect(await countersignHere(['audit', 'verify'], server.env)).toMatchObject({ outcome: 'intact' });
      await server.stop();
      rmSync(dataDir, { recursive: true });
    },
  );

  it('canaries of erased verifications on SQLite are in no file of the stopped server', async () => {
    await planted.server.stop();
    expect(await tracesIn(filesOf('data', planted.server.dataDir), tracesOfErased(planted))).toEqual([]);
  });
});
