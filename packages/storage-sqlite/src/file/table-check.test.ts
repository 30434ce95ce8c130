import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { aCreateRequest } from '../../test-support/records.ts';
import { createSqliteStorage } from '../sqlite-storage.ts';
import { checkTables } from './table-check.ts';

const DAMAGED = { code: 'SERVICE_UNAVAILABLE', message: 'The database is damaged: restore a backup' };

const never = new AbortController().signal;

/** Overwrites the page at which a table or an index begins. */
async function givenDamaged(name: string): Promise<string> {
  const file = await givenDatabase(onTestFinished);
  const connection = rawConnection(onTestFinished, file);
  const page = Number(connection.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').pluck().get(name));
  const size = Number(connection.pragma('page_size', { simple: true }));
  connection.close();
  writeFileSync(file, readFileSync(file).fill(0xee, (page - 1) * size, page * size));
  return file;
}

it.each(['clients', 'verifications_one_active', 'sqlite_autoindex_clients_1', 'countersign_migrations'])(
  'checkTables: finds a damaged page of %s',
  async (name) => {
    const checked = await checkTables(await givenDamaged(name), never);
    expect(checked.outcome).toBe('damaged');
  },
);

it('checkTables: finds a damaged schema', async () => {
  const file = await givenDatabase(onTestFinished);
  writeFileSync(file, readFileSync(file).fill(0xee, 100, 4_096));
  expect(await checkTables(file, never)).toEqual({ outcome: 'damaged', found: [expect.any(String)] });
});

it('checkTables: names the damaged table, stops writes and reports the damage once', async () => {
  const onDamage = vi.fn<(reason: string) => void>();
  const storage = await createSqliteStorage({ file: await givenDamaged('export_requests'), onDamage });
  onTestFinished(() => storage.close());
  await storage.ping();

  const found = [expect.stringContaining('export_requests')];
  expect(await storage.checkTables()).toEqual({ outcome: 'damaged', found });
  await storage.checkTables();

  await expect(storage.ping()).rejects.toMatchObject(DAMAGED);
  expect(storage.isSound()).toBe(false);
  expect(onDamage).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^[^\n]+$/));
});

it('checkTables: finds a sound database in order, while it is written', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 50 });
  const storage = await createSqliteStorage({ file });
  onTestFinished(() => storage.close());
  const [checked] = await Promise.all([
    storage.checkTables(),
    storage.verifications.createCharged(aCreateRequest(51)),
  ]);
  expect(checked).toEqual({ outcome: 'sound', tables: expect.any(Number) });
  await storage.ping();
});

it('checkTables: a signal ends it early, and so does close', async () => {
  const storage = await createSqliteStorage({ file: await givenDatabase(onTestFinished) });
  const stop = new AbortController();
  const stopped = storage.checkTables({ signal: stop.signal });
  stop.abort();
  expect(await stopped).toEqual({ outcome: 'stopped' });

  const closed = storage.checkTables();
  await storage.close();
  expect(await closed).toEqual({ outcome: 'stopped' });
});

/** Number of open descriptors of a file in this process. */
function descriptorsOf(file: string): number {
  const folder = '/proc/self/fd';
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      return undefined;
    }
  });
  return targets.filter((target) => target === file).length;
}

it('checkTables: close waits for the connection of its thread, so that no write-ahead log is left', async () => {
  const file = await givenDatabase(onTestFinished, { verifications: 50 });
  const storage = await createSqliteStorage({ file });
  await storage.verifications.createCharged(aCreateRequest(51));
  expect(existsSync(`${file}-wal`)).toBe(true);
  const before = descriptorsOf(file);

  const checked = storage.checkTables();
  await vi.waitFor(() => expect(descriptorsOf(file)).toBeGreaterThan(before), { interval: 1, timeout: 50_000 });
  await storage.close();

  expect(await checked).toEqual({ outcome: 'stopped' });
  expect(descriptorsOf(file)).toBe(0);
  expect(existsSync(`${file}-wal`)).toBe(false);
});
