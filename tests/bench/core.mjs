// The core in the process of a measurement, from the builds that servers run.
import { randomBytes } from 'node:crypto';

/** Imports a package's build, or one of its entries. @param {string} name @param {string} [file] @returns {Promise<any>} */
export const built = (name, file = 'index') =>
  import(new URL(`../../packages/${name}/dist/${file}.js`, import.meta.url).href);

/**
 * Opens the core over a storage, with encryption.
 * @param {any} storage
 * @param {{ secretKeys?: readonly Uint8Array[], ports?: object, settings?: object }} [options] `ports` and `settings` replace the usual ones
 * @returns {Promise<{ countersign: any, clock: any, ids: any }>}
 */
export async function openCore(storage, { secretKeys = [randomBytes(32)], ports = {}, settings = {} } = {}) {
  const { createCountersign } = await built('domain');
  const { createNodeSecrets, createSystemClock, createUuidIds } = await built('runtime');
  const { createMemoryRateLimiter } = await built('rate-limit');
  const { createKeyRing, createSealing } = await built('sealing');
  const clock = createSystemClock();
  const ids = createUuidIds();
  const countersign = createCountersign(
    {
      storage,
      sealing: createSealing({ keys: createKeyRing(secretKeys) }),
      rateLimiter: createMemoryRateLimiter(),
      clock,
      ids,
      secrets: createNodeSecrets(secretKeys),
      ...ports,
    },
    { publicBaseUrl: 'https://verify.example', ...settings },
  );
  return { countersign, clock, ids };
}
