// Measures what an endpoint costs a creation: lone creations of a client with one, and of a client without, in turns. First while
// nothing is sent, which is what the request itself costs. Then while the same process sends, as a server does, to a receiver in
// another process: the commits of sending share the disk.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { start, stop } from './children.mjs';
import { built, openCore } from './core.mjs';
import { sqliteToMeasure } from './repeated-answers-storage.mjs';
import { median } from './rounds.mjs';

/** The most that the median may grow with an endpoint. */
const TARGET = 1.03;
const FULL = { lone: 4_000, rounds: 20, creations: 100 };
const SHORT = { lone: 20, rounds: 2, creations: 20 };
const WARM_UP = 10;
const NAMES = /** @type {const} */ (['none', 'endpoint']);

const RECEIVER = `
  const server = require('node:http').createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));`;

/** @param {{ short: boolean, say: (line: string) => void }} options `say` reports progress */
export async function benchWebhooks({ short, say }) {
  const receiver = start(['-e', RECEIVER], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [port] = await once(receiver, 'message');
  const service = await openService(`http://127.0.0.1:${port}/`);
  const { lone, rounds, creations } = short ? SHORT : FULL;
  say(`${lone} creations of each client, nothing is sent …`);
  const path = { none: /** @type {number[]} */ ([]), endpoint: /** @type {number[]} */ ([]) };
  for (let n = 0; n < lone + WARM_UP; n += 1) {
    for (const name of inTurns(n)) {
      const measured = await service.create(name, 1);
      if (n >= WARM_UP) path[name].push(...measured);
    }
  }

  say('sending their webhooks …');
  const perSecond = await service.sendAll();

  say(`${rounds} rounds of ${creations} creations of each client, while their webhooks are sent …`);
  const times = { none: /** @type {number[]} */ ([]), endpoint: /** @type {number[]} */ ([]) };
  const cpu = { none: 0, endpoint: 0 };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of inTurns(round)) {
      const before = process.cpuUsage();
      const measured = await service.create(name, creations);
      await service.delivered();
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round === 0) continue;
      times[name].push(...measured);
      cpu[name] += user + system;
    }
  }
  const sent = await service.close();
  await stop(receiver, 'SIGKILL');

  const ratio = median(path.endpoint) / median(path.none);
  const cpuOf = (/** @type {number} */ total) => (total / rounds / creations).toFixed(0);
  const text = [
    `creation while nothing is sent: p50 ${median(path.none).toFixed(0)} µs, with one endpoint ${median(path.endpoint).toFixed(0)} µs`,
    `creation while webhooks are sent: p50 ${median(times.none).toFixed(0)} µs, with one endpoint ${median(times.endpoint).toFixed(0)} µs`,
    `CPU of a creation: ${cpuOf(cpu.none)} µs, with one endpoint and the sending of its webhook ${cpuOf(cpu.endpoint)} µs`,
    `${sent} webhooks sent, of a backlog ${perSecond.toFixed(0)} a second`,
    `p50 of a creation with one endpoint, of one without: ${ratio.toFixed(3)} (at most ${TARGET})`,
  ].join('\n');
  return { text, ok: ratio <= TARGET };
}

/** Each goes first as often as the other. @param {number} round */
function inTurns(round) {
  return round % 2 === 0 ? NAMES : NAMES.toReversed();
}

/** Opens a service with two clients and a dispatcher. @param {string} url of the endpoint that one of the clients has */
async function openService(url) {
  const storage = await (await sqliteToMeasure()).open();
  const { countersign, clock, ids } = await openCore(storage);
  const { WEBHOOK_TYPES } = await built('domain', 'entries/webhooks');
  const { createWebhookSender, startWebhookDispatcher } = await built('webhooks');
  const newClient = async () => {
    const { client } = await countersign.clients.create({ name: 'Bench', plan: 'enterprise' });
    const { value } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
    return { clientId: client.id, principal: await countersign.authenticate(value) };
  };
  const clients = { none: await newClient(), endpoint: await newClient() };
  const now = clock.now();
  await storage.webhooks.add({
    id: ids.next(),
    clientId: clients.endpoint.clientId,
    url,
    name: '',
    types: WEBHOOK_TYPES,
    state: 'active',
    since: now,
    createdAt: now,
    createdBy: null,
    secret: { value: `whsec_${randomBytes(32).toString('base64')}`, wrappedBy: null },
    secretVersion: 1,
    previousSecret: null,
    olderSecret: null,
    failingSince: null,
  });

  let sent = 0;
  const sender = createWebhookSender({ allowedNetworks: ['127.0.0.1'] });
  const onFault = (/** @type {unknown} */ fault) => console.error(fault);
  const onAttempt = () => {
    sent += 1;
  };
  /** @type {{ close(): Promise<void> } | undefined} */
  let dispatcher;

  async function delivered() {
    while ((await storage.webhooks.backlog(1)).waiting > 0) await pause(10);
  }

  return {
    /** Creates verifications one after the other. @param {'none' | 'endpoint'} name @param {number} count */
    async create(name, count) {
      const times = [];
      for (let n = 0; n < count; n += 1) {
        const request = { subjectType: 'kyc', subjectReference: ids.next() };
        const begun = performance.now();
        await countersign.verifications.create(clients[name].principal, request);
        times.push((performance.now() - begun) * 1_000);
      }
      return times;
    },
    delivered,
    /** Starts to send. @returns webhooks a second, until nothing is left */
    async sendAll() {
      const begun = performance.now();
      dispatcher = startWebhookDispatcher({ webhooks: storage.webhooks, sender, clock, ids, onFault, onAttempt });
      await delivered();
      return (sent * 1_000) / (performance.now() - begun);
    },
    async close() {
      await dispatcher?.close();
      await storage.close();
      return sent;
    },
  };
}
