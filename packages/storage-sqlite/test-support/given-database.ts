import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataPlace } from '@countersign/test-support/processes/data-place';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import Database from 'better-sqlite3';
import { createSqliteStorage, migrateSqlite } from '../src/index.ts';
import { aCreateRequest, CLIENT } from './records.ts';

type Afterwards = (clean: () => void) => void;

/** A migrated file without rows. Made once in a process, because migrating takes five times as long as copying. */
let migrated: Promise<Uint8Array> | undefined;

/** Migrates a new file and returns its bytes. */
async function migratedBytes(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(dataPlace(), 'countersign-migrated-'));
  try {
    const file = join(folder, 'countersign.db');
    await migrateSqlite({ file });
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The file of a database of ours with a client and its first verifications, closed. */
export async function givenDatabase(afterwards: Afterwards, { verifications = 1 } = {}): Promise<string> {
  const file = join(temporaryDirectory(afterwards), 'countersign.db');
  migrated ??= migratedBytes();
  writeFileSync(file, await migrated, { mode: 0o600 });
  const storage = await createSqliteStorage({ file });
  await storage.clients.create({ client: CLIENT, subscription: null });
  const numbers = Array.from({ length: verifications }, (_, index) => index + 1);
  await Promise.all(numbers.map((n) => storage.verifications.createCharged(aCreateRequest(n))));
  await storage.close();
  return file;
}

/** Opens a direct connection, without the adapter, to inspect or damage the database. */
export function rawConnection(afterwards: Afterwards, file: string): Database.Database {
  const connection = new Database(file);
  afterwards(() => void connection.close());
  return connection;
}

/** Makes the database look as if a later version of Countersign had migrated it. */
export function addLaterMigration(connection: Database.Database): void {
  connection.exec("INSERT INTO countersign_migrations (hash, created_at) VALUES ('later', 9999999999999)");
}
