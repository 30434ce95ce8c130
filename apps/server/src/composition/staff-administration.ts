import { randomBytes } from 'node:crypto';
import { createStaffManagement } from '@countersign/accounts';
import type { ManageStaff } from '@countersign/domain';
import { createSystemClock } from '@countersign/runtime';
import type { StorageSettings } from '../config/settings.ts';
import { asCommandLine, commandCore, type OpenAdministration } from './administration.ts';
import { chooseDatabase } from './choose-database.ts';

/** What an operator's commands for people who sign in work with. */
export interface StaffAdministration extends OpenAdministration {
  /** Who has an account with this e-mail: commands name people by it. */
  findByEmail: ManageStaff['findByEmail'];
}

const SECRET_BYTES = 32;

/** Opens the database, also beside a running server. The storage comes first: it makes the file of SQLite. */
export async function openStaffAdministration(settings: StorageSettings): Promise<StaffAdministration> {
  const database = await chooseDatabase(settings);
  const storage = await database.open();
  try {
    const staff = await createStaffManagement({
      database: database.accounts,
      clock: createSystemClock(),
      migrate: settings.migrate,
    });
    const core = commandCore({ storage, staff, secretKeys: [randomBytes(SECRET_BYTES)], publicBaseUrl: '' });
    return {
      run: asCommandLine(core).run,
      findByEmail: staff.findByEmail,
      async close() {
        await staff.close();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
