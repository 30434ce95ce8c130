import { createStaffManagement } from '@countersign/accounts';
import type { Countersign, ManageStaff } from '@countersign/domain';
import { createSystemClock } from '@countersign/runtime';
import type { StorageSettings } from '../config/settings.ts';
import { openAdministration } from './administration.ts';
import { chooseDatabase } from './choose-database.ts';

/** What an operator's commands for people who sign in work with. */
export interface StaffAdministration extends Pick<Countersign, 'clients'> {
  readonly staff: ManageStaff;
  close(): Promise<void>;
}

/** Opens the database, also beside a running server. The storage comes first: it makes the file of SQLite. */
export async function openStaffAdministration(settings: StorageSettings): Promise<StaffAdministration> {
  const { clients, close } = await openAdministration(settings);
  try {
    const { accounts } = await chooseDatabase(settings);
    const staff = await createStaffManagement({
      database: accounts,
      clock: createSystemClock(),
      migrate: settings.migrate,
    });
    return {
      clients,
      staff,
      async close() {
        await staff.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
