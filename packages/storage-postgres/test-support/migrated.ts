import type { PostgresServer } from '@countersign/test-support/servers';
import { beforeAll } from 'vitest';
import { migratePostgres } from '../src/postgres-storage.ts';

/** The advisory lock that a migration holds, as src/database/migrate.ts has it. */
export const MIGRATION_LOCK = '7165064744911533417';

/** Migrates one database before the tests of a group. The function creates a copy of it and returns the URL. */
export function givenMigrated(server: PostgresServer): () => Promise<string> {
  let template: string;
  beforeAll(async () => {
    template = await server.createDatabase();
    await migratePostgres({ url: template });
  });
  return () => server.createDatabase(template);
}
