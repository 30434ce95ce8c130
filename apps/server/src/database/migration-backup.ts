import { rmSync } from 'node:fs';
import { pendingAccountChanges } from '@countersign/accounts';
import { backUpSqlite, inspectSqliteSchema } from '@countersign/storage-sqlite';

/**
 * Copies a database of an older version to `<file>.before-<migration>` before it is migrated, because an older version cannot read it
 * afterwards. Replaces a copy that an interrupted migration left: the database has not changed since.
 * @param pendingIn returns the migrations that a database with content still needs
 * @throws SqliteOpenError; SqliteBackupError, for instance when the disk is full: then nothing is migrated
 */
export async function backUpBeforeMigrating(
  file: string,
  pendingIn: (file: string) => Promise<readonly string[]> = pendingChanges,
): Promise<void> {
  const [first] = await pendingIn(file);
  if (first === undefined) return;
  const target = `${file}.before-${first}`;
  rmSync(target, { force: true });
  await backUpSqlite({ file, target });
}

/** A new or empty database has no content to lose. */
async function pendingChanges(file: string): Promise<readonly string[]> {
  const { applied, pending } = await inspectSqliteSchema({ file });
  return applied.length === 0 ? [] : [...pending, ...(await pendingAccountChanges(file))];
}
