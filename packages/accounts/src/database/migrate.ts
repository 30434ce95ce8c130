import { AccountsOpenError } from '../errors.ts';
import { type Migrator, migrationsFor, pendingMigrations } from './migrations.ts';
import type { AccountsDatabase } from './tables.ts';

/** Only the driver of the database is loaded. @param options.isDirect whether to pass by the pooler */
export async function migratorOf(
  database: AccountsDatabase,
  { isDirect = false }: { readonly isDirect?: boolean } = {},
): Promise<Migrator> {
  if (database.kind === 'sqlite') {
    const { createSqliteMigrator } = await import('./migrate-sqlite.ts');
    return createSqliteMigrator(database.file);
  }
  const { createPostgresMigrator } = await import('./migrate-postgres.ts');
  return createPostgresMigrator(database.connections, { isDirect });
}

/**
 * Creates or migrates the tables of accounts. The database must exist: on SQLite the storage creates the file. Of
 * several processes at once, one migrates and the others wait.
 * @returns names of the migrations applied now, oldest first
 * @throws AccountsOpenError
 */
export async function migrateAccounts(database: AccountsDatabase): Promise<readonly string[]> {
  return (await migratorOf(database, { isDirect: true })).migrate();
}

/**
 * Moves users of test twins to their clients. Only users of sandboxes of version 0.2 belong to twins, and those that a server of that
 * version creates beside a newer one. The tables of the storage must be in the same database, and migrated.
 * @throws AccountsOpenError
 */
export async function moveUsersToLiveClients(database: AccountsDatabase): Promise<void> {
  const id = database.kind === 'sqlite' ? 'clients.id' : 'clients.id::text';
  await (await migratorOf(database, { isDirect: true })).run(movedUsers(id));
}

/** @param id the id of a client as text */
function movedUsers(id: string): string {
  return `update staff_users set client_id = (select test_of from clients where ${id} = staff_users.client_id)
    where client_id in (select ${id} from clients where test_of is not null)`;
}

/** Checks that no migration is pending. @throws AccountsOpenError */
export async function checkAccounts(database: AccountsDatabase): Promise<void> {
  const applied = await (await migratorOf(database)).applied();
  if (pendingMigrations(migrationsFor(database.kind), applied).length === 0) return;
  throw new AccountsOpenError('outdated', 'The tables of accounts need migrations: run `countersign migrate`');
}

/**
 * Returns the names of the migrations that would change existing tables of accounts in a SQLite file; none without such tables.
 * @throws AccountsOpenError
 */
export async function pendingAccountChanges(file: string): Promise<readonly string[]> {
  const applied = await (await migratorOf({ kind: 'sqlite', file })).applied();
  if (applied.length === 0) return [];
  return pendingMigrations(migrationsFor('sqlite'), applied).map(({ name }) => name);
}

/** Whether the database has tables of accounts, of any version. @throws AccountsOpenError */
export async function hasAccounts(database: AccountsDatabase): Promise<boolean> {
  return (await (await migratorOf(database)).applied()).length > 0;
}
