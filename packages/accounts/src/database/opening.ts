import type { AccountsDatabase } from './accounts-database.ts';
import { checkAccounts, migrateAccounts } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import type { StaffDatabase } from './tables.ts';

/** A database that is opened when it is first asked for. */
export interface Opening {
  database(): Promise<StaffDatabase>;
  close(): Promise<void>;
}

/** Sees to the tables at once, and to nothing else. @throws AccountsOpenError */
export async function prepare(place: AccountsDatabase, options: { migrate: boolean }): Promise<Opening> {
  if (options.migrate) await migrateAccounts(place);
  else await checkAccounts(place);
  let opened: Promise<StaffDatabase> | undefined;
  return {
    database() {
      opened ??= openDatabase(place).catch((error: unknown) => {
        // The next one tries again.
        opened = undefined;
        throw error;
      });
      return opened;
    },
    async close() {
      const database = await opened;
      await database?.destroy();
    },
  };
}
