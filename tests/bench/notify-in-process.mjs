// Measures creations with and without the subject's e-mail address as requests to the API in this process, on SQLite.
import { built, openCore } from './core.mjs';
import { creationOf, inTurns } from './notify-kinds.mjs';
import { sqliteToMeasure } from './repeated-answers-storage.mjs';
import { median } from './rounds.mjs';

const WARM_UP = 200;

/**
 * Returns microseconds, p50: of a request one after the other, and of CPU for each of `atOnce`.
 * @param {{ lone: number, rounds: number, atOnce: number }} extent
 */
export async function measureInProcess({ lone, rounds, atOnce }) {
  const service = await openService();
  const times = { without: /** @type {number[]} */ ([]), with: /** @type {number[]} */ ([]) };
  for (let n = 0; n < lone + WARM_UP; n += 1) {
    for (const kind of inTurns(n)) {
      const begun = performance.now();
      await service.post(kind);
      if (n >= WARM_UP) times[kind].push((performance.now() - begun) * 1_000);
    }
  }
  const cpu = { without: /** @type {number[]} */ ([]), with: /** @type {number[]} */ ([]) };
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of inTurns(round)) {
      const before = process.cpuUsage();
      await Promise.all(Array.from({ length: atOnce }, () => service.post(kind)));
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round > 0) cpu[kind].push((user + system) / atOnce);
    }
  }
  await service.close();
  return {
    time: { without: median(times.without), with: median(times.with) },
    cpu: { without: median(cpu.without), with: median(cpu.with) },
  };
}

/** Opens the API of a service with a client. */
async function openService() {
  const storage = await (await sqliteToMeasure()).open();
  const { countersign, ids } = await openCore(storage, {
    ports: { mailer: { send: async () => ({ outcome: 'unavailable' }) } },
    settings: { requestRates: { standard: 1e9, enterprise: 1e9, anonymous: 1e9, signedIn: 1e9 } },
  });
  const { createApi } = await built('http');
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
    /** Creates a verification. @param {import('./notify-kinds.mjs').Kind} kind */
    async post(kind) {
      const body = JSON.stringify(creationOf(kind, ids.next()));
      const { status } = await api.request('/verifications', { method: 'POST', headers, body });
      if (status !== 201) throw new Error(`expected 201, got ${status}`);
    },
    close: () => storage.close(),
  };
}
