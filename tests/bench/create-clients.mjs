// Creates hundreds of clients in one process: the command line, one process per client, would take a minute.
import { randomBytes } from 'node:crypto';
import { buildPackages } from '../../scripts/build-packages.mjs';

const MONTHLY_LIMIT = 2_000_000_000;

/** Imports a package's build, which the measured server runs too. @param {string} name @returns {Promise<any>} */
const built = (name) => import(new URL(`../../packages/${name}/dist/index.js`, import.meta.url).href);

/**
 * Creates the tables, and enterprise clients with one key each.
 * @param {string} url
 * @param {number} clients
 * @returns {Promise<string[]>}
 */
export async function createKeysInPostgres(url, clients) {
  await buildPackages();
  const { createCountersign } = await built('domain');
  const { createNodeSecrets, createSystemClock, createUuidIds } = await built('runtime');
  const { createMemoryRateLimiter } = await built('rate-limit');
  const { createPostgresStorage } = await built('storage-postgres');

  const storage = await createPostgresStorage({ url });
  const countersign = createCountersign(
    {
      storage,
      sealing: 'none',
      rateLimiter: createMemoryRateLimiter(),
      clock: createSystemClock(),
      ids: createUuidIds(),
      secrets: createNodeSecrets([randomBytes(32)]),
    },
    { publicBaseUrl: '' },
  );
  const keys = [];
  for (let number = 1; number <= clients; number++) {
    const settings = { name: `Bench ${number}`, plan: 'enterprise', monthlyLimit: MONTHLY_LIMIT };
    const { client } = await countersign.clients.create(settings);
    const { value } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
    keys.push(value);
  }
  await storage.close();
  return keys;
}
