// Creates hundreds of clients in one process: the command line, one process per client, would take a minute.
import { built, openCore } from './core.mjs';

const MONTHLY_LIMIT = 2_000_000_000;

/**
 * Creates the tables in Postgres, and enterprise clients with one key each.
 * @param {string} url
 * @param {number} clients
 * @returns {Promise<string[]>}
 */
export async function createKeysInPostgres(url, clients) {
  const made = await createClientsInPostgres(url, clients);
  return made.map(({ key }) => key);
}

/** The same in a file. @param {string} file @param {number} clients @returns {Promise<string[]>} */
export async function createKeysInSqlite(file, clients) {
  const made = await createClientsInSqlite(file, clients);
  return made.map(({ key }) => key);
}

/**
 * Creates the tables in a file, and enterprise clients with one key each.
 * @param {string} file
 * @param {number} clients
 */
export async function createClientsInSqlite(file, clients) {
  return createClients(await openSqlite(file), clients);
}

/**
 * Creates the tables in Postgres, and enterprise clients with one key each.
 * @param {string} url
 * @param {number} clients
 */
export async function createClientsInPostgres(url, clients) {
  return createClients(await openPostgres(url), clients);
}

/** Opens a database beside a server, for changes in the middle of a measurement. @param {import('./installations.mjs').Kind} kind @param {string} place */
export async function openBeside(kind, place) {
  const storage = await (kind === 'sqlite' ? openSqlite(place) : openPostgres(place));
  const { countersign } = await openCore(storage, { ports: { sealing: 'none' } });
  return { apiKeys: countersign.apiKeys, close: () => storage.close() };
}

/** @param {string} file */
async function openSqlite(file) {
  const { createSqliteStorage } = await built('storage-sqlite');
  return createSqliteStorage({ file });
}

/** @param {string} url */
async function openPostgres(url) {
  const { createPostgresStorage } = await built('storage-postgres');
  return createPostgresStorage({ url });
}

/**
 * Creates clients and closes the storage.
 * @param {any} storage
 * @param {number} clients
 * @returns {Promise<{ id: string, key: string }[]>}
 */
async function createClients(storage, clients) {
  const { countersign } = await openCore(storage, { ports: { sealing: 'none' } });
  const made = [];
  for (let number = 1; number <= clients; number++) {
    const settings = { name: `Bench ${number}`, plan: 'enterprise', monthlyLimit: MONTHLY_LIMIT };
    const { client } = await countersign.clients.create(settings);
    const { value } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
    made.push({ id: client.id, key: value });
  }
  await storage.close();
  return made;
}
