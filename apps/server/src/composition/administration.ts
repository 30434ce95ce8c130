import { randomBytes } from 'node:crypto';
import type { Countersign } from '@countersign/domain';
import { createSqliteStorage, type SqliteStorage } from '@countersign/storage-sqlite';
import { ensureDataDirectory } from '../config/data-directory.ts';
import type { StorageSettings } from '../config/environment.ts';
import { createLog } from '../logging/log.ts';
import { createCoreContainer } from './core-container.ts';
import { tokens } from './tokens.ts';

/** What an operator's commands work with. */
export interface Administration extends Pick<Countersign, 'clients' | 'apiKeys'> {
  readonly storage: SqliteStorage;
  close(): Promise<void>;
}

const SECRET_BYTES = 32;
const silence = { write: () => undefined };

/** Opens the database, also beside a running server. */
export async function openAdministration(settings: StorageSettings): Promise<Administration> {
  ensureDataDirectory(settings.dataDir);
  const storage = await createSqliteStorage({ file: settings.databaseFile });
  const core = createCoreContainer({
    storage,
    // Neither clients nor keys have links: no command needs the server's secrets, nor its address.
    secretKeys: [randomBytes(SECRET_BYTES)],
    settings: { publicBaseUrl: '' },
    log: createLog({ level: 'silent', output: silence }),
  });
  const { clients, apiKeys } = core.resolve(tokens.countersign);
  return { clients, apiKeys, storage, close: () => storage.close() };
}
