import { randomBytes } from 'node:crypto';
import type { Countersign } from '@countersign/domain';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import type { StorageSettings } from '../config/settings.ts';
import { createLog } from '../logging/log.ts';
import { chooseDatabase } from './choose-database.ts';
import { createCoreContainer } from './core-container.ts';
import { tokens } from './tokens.ts';

/** What an operator's commands work with. */
export interface Administration extends Pick<Countersign, 'clients' | 'apiKeys'> {
  close(): Promise<void>;
}

const SECRET_BYTES = 32;
const silence = { write: () => undefined };

/** Opens the database, also beside a running server. */
export async function openAdministration(settings: StorageSettings): Promise<Administration> {
  const database = await chooseDatabase(settings);
  const storage = await database.open();
  const core = createCoreContainer({
    storage,
    rateLimiter: createMemoryRateLimiter(),
    // Neither clients nor keys have links: no command needs the server's secrets, nor its address.
    secretKeys: [randomBytes(SECRET_BYTES)],
    settings: { publicBaseUrl: '' },
    log: createLog({ level: 'silent', output: silence }),
  });
  const { clients, apiKeys } = core.resolve(tokens.countersign);
  return { clients, apiKeys, close: () => storage.close() };
}
