import { migrateAccounts, pendingAccountChanges } from '@countersign/accounts';
import { backUpSqlite, inspectSqliteSchema, migrateSqlite } from '@countersign/storage-sqlite';
import { digestOf, exists, removeAll, renameDurably } from '../files.ts';

/** Migrations of the tables of accounts that a database has. */
export interface AccountMigrations {
  pending(file: string): Promise<readonly string[]>;
  apply(file: string): Promise<readonly string[]>;
}

const ACCOUNT_MIGRATIONS: AccountMigrations = {
  pending: pendingAccountChanges,
  apply: (file) => migrateAccounts({ kind: 'sqlite', file }),
};

/**
 * Migrates a database, with the tables of accounts that it has. One of an older version is copied first, because an older
 * version cannot read it afterwards. Copy and migration share one lock, so that no other process migrates in between.
 * @returns the names of the applied migrations
 * @throws SqliteOpenError; SqliteBackupError, for instance when the disk is full: then nothing is migrated
 */
export async function migrateAfterCopy(
  file: string,
  accounts: AccountMigrations = ACCOUNT_MIGRATIONS,
): Promise<readonly string[]> {
  const schema = await inspectSqliteSchema({ file });
  const isNew = schema.applied.length === 0;
  if (!isNew && schema.pending.length === 0 && (await accounts.pending(file)).length === 0) return [];
  return migrateSqlite({
    file,
    async before(pending) {
      const [first] = [...pending, ...(await accounts.pending(file))];
      if (first !== undefined) await copyBeforeMigration(file, first);
    },
    async after() {
      const pending = await accounts.pending(file);
      return pending.length === 0 ? [] : accounts.apply(file);
    },
  });
}

/**
 * Copies a database to `<file>.before-<migration>`. Older copies stay: an interrupted migration may have left one. If the
 * latest holds the same, it is enough; otherwise the new one gets a number.
 */
export async function copyBeforeMigration(file: string, migration: string): Promise<void> {
  const nameOf = (number: number) => `${file}.before-${migration}${number === 1 ? '' : `-${number}`}`;
  let number = 1;
  while (await exists(nameOf(number))) number += 1;
  // Left by a process that was killed.
  const copy = `${file}.before-${migration}.copying`;
  await removeAll(copy);
  await backUpSqlite({ file, target: copy });
  if (number > 1 && (await haveSameContent(copy, nameOf(number - 1)))) await removeAll(copy);
  else await renameDurably(copy, nameOf(number));
}

async function haveSameContent(one: string, other: string): Promise<boolean> {
  const [first, second] = [await digestOf(one), await digestOf(other)];
  return first.sha256 === second.sha256;
}
