import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import { createFileErasureLog } from '@countersign/evidence';
import { createMemoryStorage } from '@countersign/memory';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { createRequest, pendingRecord } from '@countersign/test-support/records/verification';
import { expect, test } from 'vitest';
import type { EvidenceSettings } from '../config/evidence-setting.ts';
import { requireErasureLogApart } from '../database/erasure-log-place.ts';
import { MANIFEST, MANIFEST_FORMAT, type Manifest } from '../database/manifest.ts';
import { examineErasureLog } from './erasure-log-findings.ts';

const MANIFEST_OF_BACKUP: Manifest = {
  format: MANIFEST_FORMAT,
  id: '0198c0de-0000-7000-8000-000000000000',
  version: '0.2.0',
  startedAt: '2026-11-22T00:00:00.000Z',
  finishedAt: '2026-11-22T00:00:01.000Z',
  database: { kind: 'sqlite', file: 'countersign.db', migrations: [], rows: {} },
  secrets: { inUse: [], ring: null },
  evidence: { files: 0, bytes: 0 },
};

function given() {
  const parent = temporaryFolder();
  const [evidenceDir, backup] = [join(parent, 'evidence'), join(parent, 'backup')];
  mkdirSync(evidenceDir);
  mkdirSync(backup);
  writeFileSync(join(backup, MANIFEST), JSON.stringify(MANIFEST_OF_BACKUP));
  const evidence: EvidenceSettings = { kind: 'folder', directory: evidenceDir };
  return { parent, evidenceDir, evidence, backup, erasureLogDir: join(parent, 'erasures') };
}

test('erasure log: a folder that does not exist yet, beside evidence and backups, is no problem', async () => {
  const places = given();
  await requireErasureLogApart(places);
  expect(await examineErasureLog(places, undefined)).toEqual({
    facts: { directory: places.erasureLogDir, entries: 0, unexpected: 0 },
    lines: [`Erasure log ${places.erasureLogDir}, 0 entries`],
    problems: [],
  });
});

test('erasure log: a folder beside the manifest of another program is no problem', async () => {
  const places = given();
  writeFileSync(join(places.parent, MANIFEST), '{"name": "Site", "icons": []}');
  await requireErasureLogApart(places);
});

test('erasure log: a folder in a backup, or by a link in the evidence, is refused, and doctor names it', async () => {
  const { parent, evidenceDir, evidence, backup } = given();
  const inBackup = { evidence, erasureLogDir: join(backup, 'a', 'erasures') };
  await expect(requireErasureLogApart(inBackup)).rejects.toThrow(
    `ERASURE_LOG_URL is in the backup ${backup}: expected a folder outside the evidence and all backups`,
  );
  symlinkSync(evidenceDir, join(parent, 'link'));
  const inEvidence = { evidence, erasureLogDir: join(parent, 'link', 'erasures') };
  await expect(requireErasureLogApart(inEvidence)).rejects.toThrow(
    'ERASURE_LOG_URL is in the folder of EVIDENCE_URL: expected a folder outside',
  );
  expect((await examineErasureLog(inBackup, undefined)).problems).toEqual([
    `ERASURE_LOG_URL is in the backup ${backup}: expected a folder outside the evidence and all backups`,
  ]);
});

test('erasure log: a folder in data that restore moved aside is refused, because that is deleted', async () => {
  const { parent, evidence } = given();
  for (const name of [
    'before-restore-2026-11-23T01-02-03-004Z',
    join('evidence-2', '.before-restore-2026-11-23T01-02-03-004Z'),
  ]) {
    const aside = join(parent, name);
    await expect(requireErasureLogApart({ evidence, erasureLogDir: join(aside, 'erasures') })).rejects.toThrow(
      `ERASURE_LOG_URL is in ${aside}, which restore moved aside: expected a folder outside`,
    );
  }
  await requireErasureLogApart({ evidence, erasureLogDir: join(parent, 'before-restore-of-mine') });
});

test('erasure log: doctor counts its entries, and names one that is missing', async () => {
  const places = given();
  const log = createFileErasureLog({ directory: places.erasureLogDir });
  for (const verificationId of ['a', 'b', 'c'])
    await log.append({ clientId: 'c', verificationId, at: new Date(0) });
  expect(await examineErasureLog(places, undefined)).toMatchObject({ facts: { entries: 3 }, problems: [] });

  rmSync(join(places.erasureLogDir, '000000', '000000002.json'));

  expect(await examineErasureLog(places, undefined)).toEqual({
    facts: null,
    lines: [],
    problems: ['Entry 000000/000000002.json of the erasure log is missing: restore it from a copy of the log'],
  });
});

async function givenReceipts(places: ReturnType<typeof given>) {
  const storage = createMemoryStorage();
  const at = new Date(0);
  const counts = { steps: 0, files: 0, events: 0, hash: '0'.repeat(64), finishedAt: at };
  const log = createFileErasureLog({ directory: places.erasureLogDir });
  await log.append({ clientId: 'client-1', verificationId: 'a', at });
  for (const [index, verificationId] of ['a', 'b'].entries()) {
    const place = { clientId: 'client-1', verificationId };
    await storage.retention.recordErasure({ number: index + 1, ...place, at, rule: 'requested', ...counts });
  }
  return { log, storage };
}

test('erasure log: doctor reports a database that is ahead of its log, and completes the log on demand', async () => {
  const places = given();
  const { log, storage } = await givenReceipts(places);

  expect((await examineErasureLog(places, storage.retention)).problems).toEqual([
    `The database has erasure 2, but the erasure log of ERASURE_LOG_URL, ${places.erasureLogDir}, ends with 1: put its newest copy in its place, or run countersign doctor --complete-erasure-log`,
  ]);
  expect(await log.head()).toBe(1);

  expect(await examineErasureLog(places, storage.retention, { complete: true })).toEqual({
    facts: { directory: places.erasureLogDir, entries: 2, unexpected: 0 },
    lines: [
      'Entries that the erasure log lacked and now has: 1',
      `Erasure log ${places.erasureLogDir}, 2 entries`,
    ],
    problems: [],
  });
  expect((await log.read(1, 1))[0]).toMatchObject({ number: 2, verificationId: 'b' });
});

test('erasure log: doctor names entries of verifications whose erasure never began in the database', async () => {
  const places = given();
  const { log, storage } = await givenReceipts(places);
  const client = {
    id: 'client-1',
    name: 'Shop',
    createdAt: new Date(0),
    returnAddresses: [],
    testOf: null,
    fileAccess: false,
    flowSettings: NEW_FLOW_SETTINGS,
    reasonTemplates: NO_TEMPLATES,
  };
  await storage.clients.create({ client, subscription: null });
  for (const id of ['kept', 'begun']) {
    await storage.verifications.createCharged(
      createRequest(pendingRecord({ clientId: 'client-1', id, subjectReference: id })),
    );
  }
  const begun = (await storage.retention.find({ clientId: 'client-1', verificationId: 'begun' })) ?? expect.fail();
  const verification = { ...begun, status: 'rejected', resolvedAt: new Date(0), erasedAt: new Date(0) } as const;
  await storage.retention.change({ verification, expectedVersion: begun.version, events: [] });
  await log.append({ clientId: 'client-1', verificationId: 'b', at: new Date(0) });
  for (const verificationId of ['unknown', 'begun', 'kept'])
    await log.append({ clientId: 'client-1', verificationId, at: new Date(0) });

  const { facts, problems } = await examineErasureLog(places, storage.retention);
  expect(facts).toMatchObject({ entries: 5, unexpected: 1 });
  expect(problems).toEqual([
    'Entry 5 of the erasure log is unexpected: the erasure of verification kept never began in this database. The next start of a server erases it. If another installation writes to this log, see The erasure log in docs/operations.md before you start one',
  ]);
});

test('erasure log: doctor does not complete the log of another database, or one in a refused place', async () => {
  const places = given();
  const { log, storage } = await givenReceipts(places);
  await log.append({ clientId: 'client-1', verificationId: 'other', at: new Date(0) });
  expect((await examineErasureLog(places, storage.retention, { complete: true })).problems).toEqual([
    'Entry 000000/000000002.json of the erasure log names another erasure than the database: this is not the log of the database',
  ]);

  const refused = { ...places, erasureLogDir: join(places.evidenceDir, 'erasures') };
  const { problems } = await examineErasureLog(refused, storage.retention, { complete: true });
  expect(problems).toHaveLength(2);
  expect(await createFileErasureLog({ directory: refused.erasureLogDir }).head()).toBe(0);
});

test('erasure log: doctor reports a lost one and writes nothing, and rebuilds it on demand', async () => {
  const places = given();
  const { log, storage } = await givenReceipts(places);
  await storage.retention.setErasureLogId('the-log');
  rmSync(places.erasureLogDir, { recursive: true });

  expect((await examineErasureLog(places, storage.retention)).problems).toEqual([
    `The erasure log of the database is missing: its folder is empty or new, or its storage is not mounted. Put its newest copy in its place. ERASURE_LOG_URL is ${places.erasureLogDir}. If it is lost, run countersign doctor --complete-erasure-log`,
  ]);
  expect(existsSync(places.erasureLogDir)).toBe(false);

  const { facts, problems } = await examineErasureLog(places, storage.retention, { complete: true });
  expect([facts?.entries, problems, await log.id()]).toEqual([2, [], 'the-log']);
});

test('erasure log: doctor reports the log of another installation, and does not complete it', async () => {
  const places = given();
  const { log, storage } = await givenReceipts(places);
  await storage.retention.setErasureLogId('the-log');
  await log.identify('other');
  for (const complete of [false, true]) {
    expect((await examineErasureLog(places, storage.retention, { complete })).problems).toEqual([
      expect.stringContaining('The erasure log belongs to another database. Use the log of this database.'),
    ]);
  }
  expect(await log.head()).toBe(1);
});
