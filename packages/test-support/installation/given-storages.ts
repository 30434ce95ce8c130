import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import {
  createPostgresStorage,
  migratePostgres,
  type PostgresStorageOptions,
} from '@countersign/storage-postgres';
import { createSqliteStorage, migrateSqlite } from '@countersign/storage-sqlite';
import postgres from 'postgres';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../processes/temporary-directory.ts';
import { describeWith, type ServerKind, startPostgres } from '../servers/index.ts';
import { isInRun } from '../size-of-run.ts';
import { emptiedStorage } from './emptied-storage.ts';

/** Returns an empty storage. The suite closes it; a test does not need to. */
export type TakeStorage = () => Promise<Storage>;

/** Prepares storages on SQLite for the tests of a suite: each gets a copy of a file that was migrated once. */
export function givenSqliteStorages(): TakeStorage {
  let template: string;
  beforeAll(async () => {
    template = join(temporaryDirectory(afterAll), 'countersign.db');
    await migrateSqlite({ file: template });
  });
  return async () => {
    const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
    copyFileSync(template, file);
    const storage = await createSqliteStorage({ file });
    onTestFinished(() => storage.close());
    return storage;
  };
}

/**
 * Prepares one storage on Postgres that the tests of a suite share. Each call empties it. Needs the server `postgres`.
 * @param prepare statements in SQL that run on the migrated database first
 */
export function givenPostgresStorage({
  prepare,
  ...options
}: Omit<PostgresStorageOptions, 'url'> & { readonly prepare?: string } = {}): TakeStorage {
  let take: TakeStorage | undefined;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const server = await startPostgres({ fsync: false });
    ends.unshift(() => server.stop());
    const url = await server.createDatabase();
    await migratePostgres({ url });
    const raw = postgres(url, { max: 1, onnotice: () => undefined });
    ends.unshift(() => raw.end());
    if (prepare !== undefined) await raw.unsafe(prepare);
    const emptied = emptiedStorage(raw, () => createPostgresStorage({ url, ...options }));
    ends.unshift(emptied.close);
    take = emptied.take;
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return async () => {
    if (take === undefined) throw new Error('The storage is not ready yet. Call this in a test.');
    return take();
  };
}

const STORAGES: readonly [kind: string, place: 'quick' | 'rest', needs: ServerKind[], given: () => TakeStorage][] =
  [
    ['in memory', 'quick', [], () => async () => createMemoryStorage()],
    ['on SQLite', 'quick', [], givenSqliteStorages],
    ['on Postgres', 'rest', ['postgres'], givenPostgresStorage],
  ];

/**
 * Registers a suite for each storage: `npm test` runs it in memory and on SQLite, `npm run test:rest` on Postgres, and every other
 * run on all three.
 */
export function onEachStorage(name: string, suite: (take: TakeStorage) => void): void {
  for (const [kind, place, needs, given] of STORAGES) {
    if (!isInRun(place)) continue;
    describeWith(needs, `${name} ${kind}`, () => suite(given()));
  }
}
