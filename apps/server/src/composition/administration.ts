import { randomBytes } from 'node:crypto';
import { createStaffManagement } from '@countersign/accounts';
import type { As, Countersign, ManageStaff, Storage } from '@countersign/domain';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createSystemClock } from '@countersign/runtime';
import type { LinkSettings, StorageSettings } from '../config/settings.ts';
import { createLog } from '../logging/log.ts';
import { chooseDatabase } from './choose-database.ts';
import { createCoreContainer } from './core-container.ts';
import { requiredSecretKeys, sealing } from './sealing.ts';
import { tokens } from './tokens.ts';

/** An open database, and the actions of the command line on it. They are recorded in the audit log. */
export interface OpenAdministration extends Pick<As, 'run'> {
  close(): Promise<void>;
}

/** What a command for operators stands on. */
interface CommandParts {
  readonly storage: Storage;
  readonly secretKeys: readonly Uint8Array[];
  readonly publicBaseUrl: string;
  readonly staff?: ManageStaff | undefined;
}

const SECRET_BYTES = 32;
const silence = { write: () => undefined };

/** The core for commands: it counts no requests, and what fails is told by the command itself. */
export function commandCore({ publicBaseUrl, ...parts }: CommandParts): Countersign {
  const core = createCoreContainer({
    ...parts,
    rateLimiter: createMemoryRateLimiter(),
    settings: { publicBaseUrl },
    log: createLog({ level: 'silent', output: silence }),
  });
  return core.resolve(tokens.countersign);
}

/** Binds the actions to an operator with access to the machine. */
export function asCommandLine(core: Countersign): As {
  return core.as({ kind: 'command_line' });
}

/** Opens a database that is there already, changes nothing in it, and reads the audit log. */
export async function openAuditLog(
  settings: StorageSettings,
): Promise<Pick<Countersign, 'verifyAudit'> & Pick<OpenAdministration, 'close'>> {
  const storage = await (await chooseDatabase(settings)).openToRead();
  const { verifyAudit } = commandCore({ storage, secretKeys: [randomBytes(SECRET_BYTES)], publicBaseUrl: '' });
  return { verifyAudit, close: () => storage.close() };
}

/** Opens the database, also beside a running server. */
export async function openAdministration(settings: StorageSettings): Promise<OpenAdministration> {
  const database = await chooseDatabase(settings);
  const storage = await database.open();
  // Neither clients nor keys have links: no command needs the server's secrets, nor its address.
  const core = commandCore({ storage, secretKeys: [randomBytes(SECRET_BYTES)], publicBaseUrl: '' });
  return { run: asCommandLine(core).run, close: () => storage.close() };
}

/** What an operator's commands for people who sign in work with. */
export interface StaffAdministration extends OpenAdministration {
  /** Who has an account with this e-mail: commands name people by it. */
  findByEmail: ManageStaff['findByEmail'];
}

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

/** What an operator's commands for single verifications work with. */
export type VerificationAdministration = OpenAdministration;

/**
 * Opens the database, also beside a running server. Links are signed and answers unsealed by the servers' own secrets.
 * @throws SettingError where they are not known here
 */
export async function openVerificationAdministration(settings: LinkSettings): Promise<VerificationAdministration> {
  const secretKeys = requiredSecretKeys(settings);
  const { storage } = sealing(await (await chooseDatabase(settings)).open(), secretKeys);
  const core = commandCore({ storage, secretKeys, publicBaseUrl: settings.publicBaseUrl });
  return { run: asCommandLine(core).run, close: () => storage.close() };
}
