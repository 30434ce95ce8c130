import type { AccountsDatabase } from './accounts-database.ts';

/**
 * Makes the tables of accounts, or brings them to this version. The database itself has to be there: on SQLite the
 * storage makes the file. Of several processes at once, one does it and the others wait.
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

/** @throws AccountsOpenError where the tables are not those of this version */
export async function checkAccounts(database: AccountsDatabase): Promise<void> {
  if (database.kind === 'sqlite') {
    const { checkSqlite } = await import('./migrate-sqlite.ts');
    return checkSqlite(database.file);
  }
  const { checkPostgres } = await import('./migrate-postgres.ts');
  return checkPostgres(database.url);
}

/** Whether the database has tables of accounts, of whatever version. @throws AccountsOpenError */
export async function hasAccounts(database: AccountsDatabase): Promise<boolean> {
  if (database.kind === 'sqlite') {
    const { appliedInFile } = await import('./migrate-sqlite.ts');
    return (await appliedInFile(database.file)).length > 0;
  }
  const { appliedOnServer } = await import('./migrate-postgres.ts');
  return (await appliedOnServer(database.url)).length > 0;
}
