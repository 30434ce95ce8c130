import {
  type AuditEntry,
  type Clock,
  type Countersign,
  createCountersign,
  type Permission,
} from '@countersign/domain';
import type { NewClient } from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createPostgresStorage } from '@countersign/storage-postgres';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import type { ServerProcess } from '../processes/server-process.ts';
import { askAll } from '../service/flow-settings.ts';

/** More entries than any test appends. */
const AUDIT_LINES = 10_000;

interface OperatedCore
  extends Pick<Countersign, 'apiKeys' | 'appearances' | 'clients' | 'flowSettings' | 'verifyAudit'> {
  /** Returns all audit entries, in order. */
  auditLines(): Promise<readonly AuditEntry[]>;
}

type Place = Pick<ServerProcess, 'databaseFile'> &
  Partial<Pick<ServerProcess, 'env'>> & {
    /** The clock of a server whose clock is set. */
    readonly clock?: Clock;
  };

/**
 * Runs an operator's actions on a running server's database, in this process, because each command of the command line
 * takes half a second of processor time. Closes the database before it returns.
 */
export async function operate<T>(place: Place, work: (core: OperatedCore) => Promise<T>): Promise<T> {
  const storage = await openStorage(place);
  try {
    const ports = {
      storage,
      sealing: 'none' as const,
      rateLimiter: createMemoryRateLimiter(),
      clock: place.clock ?? createSystemClock(),
      ids: createUuidIds(),
      secrets: createNodeSecrets([new Uint8Array(32)]),
    };
    const { appearances, clients, apiKeys, flowSettings, verifyAudit } = createCountersign(ports, {
      publicBaseUrl: 'https://verify.example',
      // As for a server outside production.
      localReturnAddresses: true,
    });
    return await work({
      appearances,
      clients,
      apiKeys,
      flowSettings,
      verifyAudit,
      auditLines: () => storage.audit.read(0, AUDIT_LINES),
    });
  } finally {
    await storage.close();
  }
}

/** Opens the server's database: its SQLite file, or the Postgres of its environment. */
export function openStorage({ databaseFile, env = {} }: Place): Promise<Storage> {
  const url = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
  return url?.startsWith('postgres')
    ? createPostgresStorage({ url, poolSize: 4 })
    : createSqliteStorage({ file: databaseFile });
}

export interface GivenClient {
  readonly clientId: string;
  readonly keyId: string;
  readonly key: string;
}

/** Creates a client with an all-permissions key. */
export function givenClientOf(place: Place, input: Partial<NewClient> = {}): Promise<GivenClient> {
  return operate(place, async ({ clients, apiKeys }) => {
    const { client } = await clients.create({ name: 'Acme', plan: 'standard', ...input });
    const { key, value } = await apiKeys.issue(client.id, { permissions: ['*'] });
    return { clientId: client.id, keyId: key.id, key: value };
  });
}

/** Lets a client ask its subjects for everything, such as a proof of address. */
export function askForEverything(place: Place, clientId: string): Promise<void> {
  return operate(place, (core) => askAll(core, clientId));
}

/** Sets a client's contacts for help and data protection, which the pages of its subjects show. */
export async function giveContacts(place: Place, clientId: string, domain = 'acme.example'): Promise<void> {
  const contacts = { supportAddress: `help@${domain}`, privacyAddress: `https://${domain}/privacy` };
  await operate(place, ({ appearances }) => appearances.change(clientId, contacts));
}

/** Creates an all-permissions key of a client's test twin. `clientId` is the twin's. */
export function givenTestTwinOf(place: Place, liveId: string): Promise<GivenClient> {
  return operate(place, async ({ clients, apiKeys }) => {
    const { id: clientId } = await clients.testTwin(liveId);
    const { key, value } = await apiKeys.issue(clientId, { permissions: ['*'] });
    return { clientId, keyId: key.id, key: value };
  });
}

/** Creates another key of a client. */
export function givenKey(place: Place, clientId: string, permission: Permission = '*'): Promise<string> {
  return operate(
    place,
    async ({ apiKeys }) => (await apiKeys.issue(clientId, { permissions: [permission] })).value,
  );
}
