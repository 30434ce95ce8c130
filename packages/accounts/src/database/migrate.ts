import { migrationsFor, pendingMigrations } from './migrations.ts';
import type { AccountsDatabase } from './tables.ts';

/**
 * Creates or migrates the tables of accounts. The database must exist: on SQLite the storage creates the file. Of
 * several processes at once, one migrates and the others wait.
 * @returns names of the migrations applied now, oldest first
 * @throws AccountsOpenError
 */
export async function migrateAccounts(database: AccountsDatabase): Promise<readonly string[]> {
  if (database.kind === 'sqlite') {
    const { migrateSqlite } = await import('./migrate-sqlite.ts');
    return migrateSqlite(database.file);
  }
  const { migratePostgres } = await import('./migrate-postgres.ts');
  return migratePostgres(database.directUrl ?? database.url);
}

/**
 * Moves users of test twins to their clients. Only users of sandboxes of version 0.2 belong to twins, and those that a server of that
 * version creates beside a newer one. The tables of the storage must be in the same database, and migrated.
 * @throws AccountsOpenError
 */
export async function moveUsersToLiveClients(database: AccountsDatabase): Promise<void> {
  if (database.kind === 'sqlite') {
    const { runInFile } = await import('./migrate-sqlite.ts');
    return runInFile(database.file, movedUsers('clients.id'));
  }
  const { runOnServer } = await import('./migrate-postgres.ts');
  return runOnServer(database.directUrl ?? database.url, movedUsers('clients.id::text'));
}

/** @param id the id of a client as text */
function movedUsers(id: string): string {
  return `update staff_users set client_id = (select test_of from clients where ${id} = staff_users.client_id)
    where client_id in (select ${id} from clients where test_of is not null)`;
}

/** Checks that no migration is pending. @throws AccountsOpenError */
export async function checkAccounts(database: AccountsDatabase): Promise<void> {
  if (database.kind === 'sqlite') {
    const { checkSqlite } = await import('./migrate-sqlite.ts');
    return checkSqlite(database.file);
  }
  const { checkPostgres } = await import('./migrate-postgres.ts');
  return checkPostgres(database.url);
}

/**
 * Returns the names of the migrations that would change existing tables of accounts in a SQLite file; none without such tables.
 * @throws AccountsOpenError
 */
export async function pendingAccountChanges(file: string): Promise<readonly string[]> {
  const { appliedInFile } = await import('./migrate-sqlite.ts');
  const applied = await appliedInFile(file);
  if (applied.length === 0) return [];
  return pendingMigrations(migrationsFor('sqlite'), applied).map(({ name }) => name);
}

/** Whether the database has tables of accounts, of any version. @throws AccountsOpenError */
export async function hasAccounts(database: AccountsDatabase): Promise<boolean> {
  if (database.kind === 'sqlite') {
    const { appliedInFile } = await import('./migrate-sqlite.ts');
    return (await appliedInFile(database.file)).length > 0;
  }
  const { appliedOnServer } = await import('./migrate-postgres.ts');
  return (await appliedOnServer(database.url)).length > 0;
}
