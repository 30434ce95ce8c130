import { CountersignError } from '@countersign/domain';
import { AccountsOpenError } from '../errors.ts';
import type { AccountsDatabase } from './accounts-database.ts';
import type { StaffDatabase, Tables } from './tables.ts';

/**
 * Opens it where the tables are known to be there. Libraries and drivers are loaded now and not before.
 * @throws CountersignError `SERVICE_UNAVAILABLE`
 */
export async function openDatabase(database: AccountsDatabase): Promise<StaffDatabase> {
  const { Kysely } = await import('kysely');
  if (database.kind === 'sqlite') {
    const { connectSqlite } = await import('./sqlite-connection.ts');
    const { createSqliteDialect } = await import('./sqlite-dialect.ts');
    return new Kysely<Tables>({ dialect: createSqliteDialect(await connectSqlite(database.file)) });
  }
  const { findWay } = await import('./migrate-postgres.ts');
  const { createPostgresPool } = await import('./postgres-connection.ts');
  const { createPostgresDialect } = await import('./postgres-dialect.ts');
  const pool = await createPostgresPool(await findWay(database.url).catch(unavailable));
  return new Kysely<Tables>({ dialect: createPostgresDialect(pool) });
}

function unavailable(cause: unknown): never {
  if (!(cause instanceof AccountsOpenError)) throw cause;
  throw new CountersignError('SERVICE_UNAVAILABLE', cause.message, { cause });
}
