import { randomBytes } from 'node:crypto';
import type { As, Countersign, ManageStaff, Storage } from '@countersign/domain';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import type { StorageSettings } from '../config/settings.ts';
import { createLog } from '../logging/log.ts';
import { chooseDatabase } from './choose-database.ts';
import { createCoreContainer } from './core-container.ts';
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
