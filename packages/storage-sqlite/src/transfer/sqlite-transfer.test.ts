import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApiKey } from '@countersign/domain';
import { DEFAULT_RETENTION } from '@countersign/domain/retention';
import { copyStorage, TRANSFER_KINDS, type TransferKind } from '@countersign/domain/storage';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { auditEntry } from '@countersign/test-support/records/audit-entry';
import { getTableName } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentsOf } from '../../test-support/directory-contents.ts';
import { addLaterMigration, givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { aCreateRequest, CLIENT } from '../../test-support/records.ts';
import * as appearanceTables from '../appearance-tables.ts';
import * as exportTables from '../export-tables.ts';
import * as handOverTables from '../hand-over-tables.ts';
import { createSqliteStorage, lockForServing, migrateSqlite } from '../index.ts';
import * as indexTables from '../index-tables.ts';
import * as mailTables from '../mail-tables.ts';
import * as readingTables from '../reading-tables.ts';
import * as retentionTables from '../retention-tables.ts';
import * as schema from '../schema.ts';
import * as webhookTables from '../webhook-tables.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';
import { createSqliteTransferSource, createSqliteTransferTarget } from './sqlite-transfer.ts';

const emptyPlace = (): string => join(temporaryDirectory(onTestFinished), 'countersign.db');

async function sourceOf(file: string) {
  const source = await createSqliteTransferSource({ file, lockWaitMs: 50 });
  onTestFinished(() => source.close());
  return source;
}

async function targetOf(file: string) {
  const target = await createSqliteTransferTarget({ file, lockWaitMs: 50 });
  onTestFinished(() => target.close());
  return target;
}

describe('transfer source', () => {
  it('the source of a copy is read page by page in the order of its keys', async () => {
    const source = await sourceOf(await givenDatabase(onTestFinished, { verifications: 5 }));

    const first = await source.read('events', null, 2);
    const key = ['verification-2', 1, 'event-2'];
    const second = await source.read('events', key, 10);

    expect(first.map(({ event }) => event.id)).toEqual(['event-1', 'event-2']);
    expect(second.map(({ event }) => event.id)).toEqual(['event-3', 'event-4', 'event-5']);
    expect(first[0]?.unsent).toBe(true);
    expect(await source.read('usage', null, 10)).toEqual([
      { clientId: CLIENT.id, month: '2026-03', used: 5, allowance: 1_000_000 },
    ]);
    expect(await source.count('verifications')).toBe(5);
  });

  it('query plan: pages start in an index, without sorting', async () => {
    const raw = rawConnection(onTestFinished, await givenDatabase(onTestFinished));
    const plan = (query: string) =>
      (raw.prepare(`EXPLAIN QUERY PLAN ${query}`).all(1, 1, 1) as { detail: string }[]).map(
        ({ detail }) => detail,
      );
    const events = plan(`SELECT * FROM verification_events
      WHERE (verification_id, version, id) > (+?, +?, +?) ORDER BY verification_id, version, id LIMIT 5`);
    expect(events).toEqual([
      expect.stringMatching(/^SEARCH verification_events USING INDEX .*version,id\)>\(/) as string,
    ]);
  });

  it('the source of a copy cannot be served or written during the copy, and can be afterwards', async () => {
    const file = await givenDatabase(onTestFinished);
    const source = await createSqliteTransferSource({ file });
    expect(() => lockForServing(file)).toThrow(expect.objectContaining({ code: 'already_served' }));
    await expect(createSqliteStorage({ file, lockWaitMs: 50 })).rejects.toMatchObject({ code: 'locked' });

    await source.close();
    await source.close();

    lockForServing(file).release();
    const storage = await createSqliteStorage({ file });
    expect(await storage.verifications.createCharged(aCreateRequest(2))).toEqual({ outcome: 'created' });
    await storage.close();
  });

  it('the source of a copy is refused while a server uses it', async () => {
    const file = await givenDatabase(onTestFinished);
    const lock = lockForServing(file);
    await expect(createSqliteTransferSource({ file })).rejects.toMatchObject({
      code: 'already_served',
      message: `A server serves the database ${file}: stop it first`,
    });
    lock.release();
  });

  it('a missing file is refused and not created', async () => {
    const file = emptyPlace();
    await expect(createSqliteTransferSource({ file })).rejects.toMatchObject({ code: 'missing' });
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('a file of another version or with an unfinished copy is refused and not changed', async () => {
    for (const [spoil, code] of [
      ['DELETE FROM countersign_migrations', 'outdated'],
      ["INSERT INTO countersign_migrations (hash, created_at) VALUES ('', 0)", 'unfinished_copy'],
    ] as const) {
      const file = await givenDatabase(() => undefined);
      const connection = rawConnection(() => undefined, file);
      connection.exec(spoil);
      connection.close();
      const before = contentsOf(dirname(file));
      await expect(createSqliteTransferSource({ file })).rejects.toMatchObject({ code });
      expect(contentsOf(dirname(file))).toEqual(before);
    }
  });
});

describe('transfer target', () => {
  it('the target of a copy is created, and cannot be opened otherwise until the copy is finished', async () => {
    const file = emptyPlace();
    const target = await createSqliteTransferTarget({ file });
    expect(existsSync(file)).toBe(true);
    expect(await target.hasUnfinishedCopy()).toBe(false);

    await target.begin();
    await target.begin();
    await target.close();

    for (const open of [createSqliteStorage, migrateSqlite, createSqliteTransferSource]) {
      await expect(open({ file })).rejects.toMatchObject({ code: 'unfinished_copy' });
    }
    const again = await createSqliteTransferTarget({ file });
    expect(await again.hasUnfinishedCopy()).toBe(true);
    await again.finish();
    await again.close();
    await (await createSqliteStorage({ file, migrate: false })).close();
  });

  it('the target of a copy cannot be served while it is open, and an open storage reports the unfinished copy', async () => {
    const file = emptyPlace();
    const storage = await createSqliteStorage({ file });
    onTestFinished(() => storage.close());
    const target = await targetOf(file);
    expect(() => lockForServing(file)).toThrow('already serving');
    await storage.ping();

    await target.begin();

    await expect(storage.ping()).rejects.toThrow('is not finished');
  });

  it('keeps all entries of a batch or none', async () => {
    const target = await targetOf(emptyPlace());
    const clients = [CLIENT, CLIENT].map((client) => ({ client, subscription: null }));

    await expect(target.write('clients', clients)).rejects.toThrow();

    expect(await target.count('clients')).toBe(0);
  });

  it('the target of a copy from a later version is refused', async () => {
    const file = await givenDatabase(onTestFinished);
    addLaterMigration(rawConnection(onTestFinished, file));
    await expect(createSqliteTransferTarget({ file })).rejects.toMatchObject({ code: 'newer_version' });
  });

  it('gives slots to active keys: ten are accepted, an eleventh is refused', async () => {
    const file = emptyPlace();
    const target = await createSqliteTransferTarget({ file });
    const expired = Array.from({ length: 12 }, (_, n) => aKey(n, { expiresAt: new Date(1_000 + n) }));
    const revoked = aKey(20, { revokedAt: new Date(5) });
    const active = Array.from({ length: 9 }, (_, n) => aKey(30 + n, {}));
    await target.begin();
    await target.write('clients', [{ client: CLIENT, subscription: null }]);
    await target.write('apiKeys', expired);
    await target.write('apiKeys', [revoked, ...active]);
    await target.finish();
    await target.close();

    const storage = await createSqliteStorage({ file });
    onTestFinished(() => storage.close());

    expect(await storage.apiKeys.issue(aKey(50, {}))).toEqual({ outcome: 'issued' });
    expect(await storage.apiKeys.issue(aKey(51, {}))).toEqual({ outcome: 'limit_reached' });
  });
});

/** Triggers keep the counts, and a new file has no space to clear. */
const NOT_COPIED: readonly unknown[] = [schema.verificationCounts, retentionTables.unclearedErasures];

it('copy: every other table of the schema belongs to one kind', () => {
  const copied = Object.values(COPIED_TABLES).flatMap(
    ({ table, joined }: Pick<CopiedTable<never>, 'table' | 'joined'>) =>
      joined === undefined ? [table] : [table, joined.table],
  );

  const tables = Object.values({
    ...schema,
    ...webhookTables,
    ...retentionTables,
    ...exportTables,
    ...handOverTables,
    ...readingTables,
    ...indexTables,
    ...mailTables,
    ...appearanceTables,
  }).filter((table) => !NOT_COPIED.includes(table));
  expect(copied.map(getTableName).toSorted()).toEqual(tables.map(getTableName).toSorted());
});

it('copy: has every row of the source', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 12 });
  const raw = rawConnection(onTestFinished, file);
  raw.exec("UPDATE verifications SET status = 'submitted', submitted_at = 1234 WHERE rowid > 3");
  raw.exec("UPDATE verifications SET claimed_by = 'reviewer', claimed_at = 5678 WHERE rowid > 6");
  raw.exec("UPDATE verifications SET data_key_wrapped_by = 'key', data_key = 'wrapped' WHERE rowid % 2");
  raw.exec("UPDATE verifications SET sandbox_outcome = 'rejected' WHERE rowid = 7");
  raw.exec('UPDATE clients SET sandbox = 1');
  const storage = await createSqliteStorage({ file });
  await storage.apiKeys.issue(aKey(1, { createdBy: 'staff-1' }));
  for (let n = 1; n <= 12; n++) await storage.audit.append(auditEntry(n));
  await storage.retention.setPolicy(CLIENT.id, DEFAULT_RETENTION);
  await storage.retention.setPlan({ clientId: CLIENT.id, plannedBy: 'rules', plannedAfter: 'verification-1' });
  for (const number of [1, 2]) await storage.retention.recordErasure({ ...ERASURE, number });
  await storage.retention.setErasureLogId('log');
  for (const now of [new Date(5), new Date(7)]) {
    await storage.retention.beginRun({
      now,
      expectedFrom: new Date(6),
      expectedUntil: now,
      pauseUntil: new Date(8),
    });
  }
  for (const n of [1, 2]) {
    const place = { clientId: CLIENT.id, verificationId: `verification-${n}` };
    const request = {
      ...place,
      id: `export-${n}`,
      requestedAt: CLIENT.createdAt,
      requestedBy: 'subject',
    } as const;
    expect(await storage.exports.request(request)).not.toBeNull();
  }
  const release = { id: 'export-2', clientId: CLIENT.id, releasedBy: null, codeHash: 'hash' };
  await storage.exports.release({ ...release, releasedAt: new Date(9), expiresAt: new Date(10) });
  const refusal = {
    id: 'export-2',
    clientId: CLIENT.id,
    declinedAt: new Date(9),
    declineReason: 'excessive',
  } as const;
  expect(await storage.exports.decline(refusal)).not.toBeNull();
  const about = { clientId: CLIENT.id, verificationId: 'verification-3', userId: null, targetId: 'target' };
  const times = { plannedAt: new Date(3), dueAt: new Date(4), attempts: 5, heldUntil: new Date(6) };
  await storage.appearances.setLogo(CLIENT.id, {
    id: 'logo',
    width: 2,
    height: 1,
    content: new Uint8Array([0, 255, 137]),
  });
  await storage.mails.add([{ id: 'mail-1', kind: 'verification.result', ...about, ...times }]);
  const code = { clientId: CLIENT.id, verificationId: 'verification-1', codeHash: 'hash', linkVersion: 1 };
  const issued = await storage.handOvers.issue({ ...code, issuedAt: new Date(3), expiresAt: new Date(4) });
  expect(issued).not.toBeNull();
  const read = { clientId: CLIENT.id, verificationId: 'verification-2', fileId: 'file-1', readerVersion: '1' };
  expect(await storage.readings.save({ ...read, readAt: new Date(5), data: { outcome: 'read' } }, 1)).toBe(true);
  const indexKey = { clientId: CLIENT.id, version: 1, value: 'key', wrappedBy: 'key' };
  expect(await storage.indexes.addKey(indexKey)).toBe(true);
  const labelled = { clientId: CLIENT.id, verificationId: 'verification-6' };
  const labels = (['B', 'a'] as const).map((label) => ({ purpose: 'email' as const, label }));
  expect(await storage.indexes.save(labelled, { keyVersion: 1, rulesVersion: 1, labels }, 1)).toBe(true);
  const budgets = [{ name: 'budget-1', allowed: 2, windowMs: 1 }];
  await storage.mails.takeFromBudgets({ budgets, now: new Date(7) });
  await storage.close();
  const copied = emptyPlace();
  const source = await sourceOf(file);
  const target = await targetOf(copied);

  await copyStorage({ from: source, to: target, batchSize: 5 });

  const all = (storage: typeof source) =>
    Promise.all(TRANSFER_KINDS.map((kind: TransferKind) => storage.read(kind, null, 100)));
  expect(await all(target)).toEqual(await all(source));
  expect((await all(target)).map((rows) => rows.length)).toEqual([
    1, 1, 1, 1, 12, 12, 2, 1, 1, 1, 1, 2, 1, 1, 0, 0, 0, 2, 1, 1, 12, 1,
  ]);
  const record = await target.read('verifications', ['verification-6'], 1);
  expect(record).toMatchObject([
    {
      submittedAt: new Date(1_234),
      claimedBy: 'reviewer',
      claimedAt: new Date(5_678),
      sandboxOutcome: 'rejected',
      dataKey: { wrappedBy: 'key', wrapped: 'wrapped' },
    },
  ]);
});

it('copy: an audit log with a gap is refused, and the error names the entry after the gap', async () => {
  const file = await givenDatabase(onTestFinished);
  const storage = await createSqliteStorage({ file });
  for (let n = 1; n <= 7; n++) await storage.audit.append(auditEntry(n));
  await storage.close();
  const raw = rawConnection(onTestFinished, file);
  raw.exec('DROP TRIGGER audit_entries_unremoved; DELETE FROM audit_entries WHERE sequence = 4');
  const source = await sourceOf(file);
  const target = await targetOf(emptyPlace());

  await expect(copyStorage({ from: source, to: target })).rejects.toMatchObject({
    code: 'entry_refused',
    message: expect.stringMatching(/ 5 \(SQLITE_CONSTRAINT_TRIGGER\)$/) as string,
  });

  expect(await target.read('audit', null, 10)).toEqual([1, 2, 3].map((n) => auditEntry(n)));
  expect(await target.read('audit', [2], 10)).toEqual([auditEntry(3)]);
});

const ERASURE = {
  clientId: CLIENT.id,
  verificationId: 'verification-70',
  at: CLIENT.createdAt,
  rule: 'log',
  steps: 0,
  files: 0,
  events: 0,
  hash: '7'.repeat(64),
  finishedAt: new Date(1_234),
} as const;

function aKey(n: number, state: Partial<ApiKey>): ApiKey {
  return {
    id: `key-${n}`,
    clientId: CLIENT.id,
    name: '',
    hash: `hash ${n}`,
    display: '',
    permissions: ['*'],
    networks: [],
    createdAt: CLIENT.createdAt,
    createdBy: null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    noticedDays: null,
    ...state,
  };
}
