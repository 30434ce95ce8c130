// Measures what the subject's e-mail address costs a creation: requests to the API in this process, on SQLite, in turns with and
// without `notify`. Nothing is sent: sending is not part of the request.
import { randomBytes } from 'node:crypto';
import { buildPackages } from '../../scripts/build-packages.mjs';
import { sqliteToMeasure } from './repeated-answers-storage.mjs';
import { median } from './rounds.mjs';

/** The most that the median may grow with an address. */
const TARGET = 1.05;
const FULL = { lone: 4_000, rounds: 40, atOnce: 64 };
const SHORT = { lone: 20, rounds: 2, atOnce: 8 };
const WARM_UP = 200;
const NAMES = /** @type {const} */ (['without', 'with']);

/** Imports a package's build, which servers run too. @param {string} name @returns {Promise<any>} */
const built = (name) => import(new URL(`../../packages/${name}/dist/index.js`, import.meta.url).href);

/** @param {{ short: boolean, say: (line: string) => void }} options `say` reports progress */
export async function benchNotify({ short, say }) {
  await buildPackages();
  const service = await openService();
  const { lone, rounds, atOnce } = short ? SHORT : FULL;

  say(`${lone} requests of each kind, one after the other …`);
  const times = { without: /** @type {number[]} */ ([]), with: /** @type {number[]} */ ([]) };
  for (let n = 0; n < lone + WARM_UP; n += 1) {
    for (const name of inTurns(n)) {
      const begun = performance.now();
      await service.post(name);
      if (n >= WARM_UP) times[name].push((performance.now() - begun) * 1_000);
    }
  }

  say(`${rounds} rounds of ${atOnce} requests of each kind at once …`);
  const cpu = { without: /** @type {number[]} */ ([]), with: /** @type {number[]} */ ([]) };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of inTurns(round)) {
      const before = process.cpuUsage();
      await Promise.all(Array.from({ length: atOnce }, () => service.post(name)));
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round > 0) cpu[name].push((user + system) / atOnce);
    }
  }
  await service.close();

  const ratio = median(times.with) / median(times.without);
  const text = [
    `POST, one after the other: p50 ${median(times.without).toFixed(0)} µs, with an address ${median(times.with).toFixed(0)} µs`,
    `CPU of a POST, ${atOnce} at once: ${median(cpu.without).toFixed(0)} µs, with an address ${median(cpu.with).toFixed(0)} µs`,
    `p50 of a POST with an address, of one without: ${ratio.toFixed(3)} (at most ${TARGET})`,
  ].join('\n');
  return { text, ok: ratio <= TARGET };
}

/** Each goes first as often as the other. @param {number} round */
function inTurns(round) {
  return round % 2 === 0 ? NAMES : NAMES.toReversed();
}

/** Opens the API of a service with a client. */
async function openService() {
  const { createCountersign } = await built('domain');
  const { createApi } = await built('http');
  const { createNodeSecrets, createSystemClock, createUuidIds } = await built('runtime');
  const { createMemoryRateLimiter } = await built('rate-limit');
  const { createKeyRing, createSealing } = await built('sealing');
  const storage = await (await sqliteToMeasure()).open();
  const secretKeys = [randomBytes(32)];
  const ids = createUuidIds();
  const countersign = createCountersign(
    {
      storage,
      sealing: createSealing({ keys: createKeyRing(secretKeys) }),
      rateLimiter: createMemoryRateLimiter(),
      clock: createSystemClock(),
      ids,
      secrets: createNodeSecrets(secretKeys),
      mailer: { send: async () => ({ outcome: 'unavailable' }) },
    },
    {
      publicBaseUrl: 'https://verify.example',
      requestRates: { standard: 1e9, enterprise: 1e9, anonymous: 1e9, signedIn: 1e9 },
    },
  );
  const { client } = await countersign.clients.create({
    name: 'Bench',
    plan: 'enterprise',
    monthlyLimit: 1_000_000_000,
  });
  const { value } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const headers = { 'X-API-Key': value, 'Content-Type': 'application/json' };
  const api = createApi(countersign, {
    clientAddress: () => '192.0.2.1',
    newRequestId: () => ids.next(),
    onFault: console.error,
  });

  return {
    /** Creates a verification. @param {'without' | 'with'} name */
    async post(name) {
      const subjectReference = ids.next();
      const notify = name === 'with' ? { notify: { email: `${subjectReference}@example.org` } } : {};
      const body = JSON.stringify({ subjectType: 'kyc', subjectReference, ...notify });
      const { status } = await api.request('/verifications', { method: 'POST', headers, body });
      if (status !== 201) throw new Error(`expected 201, got ${status}`);
    },
    close: () => storage.close(),
  };
}
