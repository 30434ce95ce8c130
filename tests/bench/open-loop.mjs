// Measures response times at a steady rate that does not wait for answers, a revoked key in the middle of it, and the memory
// after many requests.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { start, stop } from './children.mjs';
import { openBeside } from './create-clients.mjs';
import { makeInstallations } from './installations.mjs';
import { startLoader } from './load/loader.mjs';
import { openSerial } from './load/serial.mjs';
import { residentMegabytes } from './usage.mjs';

/**
 * @typedef {import('./installations.mjs').Kind} Kind
 * @typedef {Awaited<ReturnType<typeof benchOpenLoop>>} OpenLoopFigures
 *
 * @typedef {object} OpenLoopExtent
 * @property {number} rows verifications of the client
 * @property {number} ids how many of them are read
 * @property {number} seconds of the open loop
 * @property {number} warmUpSeconds
 * @property {Readonly<Record<Kind, number>>} perSecond
 * @property {number} requests after which the memory is measured
 * @property {number} step requests between two looks at the memory
 */

/** @type {OpenLoopExtent} */
const FULL = {
  rows: 1_000_000,
  ids: 10_000,
  seconds: 60,
  warmUpSeconds: 5,
  perSecond: { sqlite: 5_000, postgres: 1_500 },
  requests: 500_000,
  step: 50_000,
};
/** @type {OpenLoopExtent} */
const SHORT = {
  rows: 100,
  ids: 50,
  seconds: 0.5,
  warmUpSeconds: 0.1,
  perSecond: { sqlite: 200, postgres: 100 },
  requests: 400,
  step: 200,
};

const CREATION_EVERY = 10;
const CONNECTIONS = 64;
const PAGE = 100;
const program = fileURLToPath(new URL('./load/open-loop.mjs', import.meta.url));

/** @param {Kind} kind @param {{ short: boolean, say: (line: string) => void }} options */
export async function benchOpenLoop(kind, { short, say }) {
  const { rows, ids: wantedIds, seconds, warmUpSeconds, perSecond, requests, step } = short ? SHORT : FULL;
  const loader = startLoader();
  const {
    setup,
    installations,
    stop: stopAll,
  } = await makeInstallations(kind, { sizes: [rows], others: 1, days: 400, staff: false }, { loader, say });
  const { server, place } = /** @type {import('./installations.mjs').Installation} */ (installations[0]);
  const beside = await openBeside(kind, place);
  const { key, value } = await beside.apiKeys.issue(setup.clientId, { name: 'to revoke', permissions: ['*'] });
  const ids = await someIds(server.port, { key: setup.key, rows, wanted: wantedIds });

  /** @param {string} prefix @param {number} duration @param {readonly string[]} keys */
  const plan = (prefix, duration, keys) => ({
    port: server.port,
    connections: CONNECTIONS,
    perSecond: perSecond[kind],
    seconds: duration,
    keys,
    ids,
    creationEvery: CREATION_EVERY,
    prefix,
  });
  say('warming up …');
  await runPlan(plan('warm', warmUpSeconds, [setup.key]));
  say(`${perSecond[kind]} requests a second for ${seconds} s, and a key is revoked …`);
  const [{ milliseconds, others, requests: sent }, revokedAt] = await Promise.all([
    runPlan(plan('open', seconds, [setup.key, value])),
    pause(seconds * 500).then(async () => {
      await beside.apiKeys.revoke(setup.clientId, key.id);
      return performance.timeOrigin + performance.now();
    }),
  ]);
  await beside.close();

  say(`memory after ${requests} requests …`);
  const memory = [];
  const created = ids.map((id) => ({ id, key: 0 }));
  for (let answered = sent, next = 0, part = 0; answered < requests; part += 1) {
    const kinds = /** @type {const} */ ([
      { connections: 32, requests: Math.ceil(step * 0.45), kind: { name: 'get', targets: created } },
      {
        connections: 64,
        requests: Math.ceil(step * 0.05),
        kind: { name: 'post', prefix: `memory-${part}`, collect: false },
      },
    ]);
    for (const each of kinds) {
      const round = await loader.run({ port: server.port, seconds: 600, keys: [setup.key], ...each });
      answered += round.requests;
    }
    if (answered >= next) {
      memory.push({ requests: answered, megabytes: residentMegabytes(server.pid)?.now ?? null });
      next = answered + step;
    }
  }
  await loader.stop();
  await stopAll();
  return {
    kind,
    rows,
    perSecond: perSecond[kind],
    seconds,
    milliseconds,
    requests: sent,
    others,
    revokedAt,
    memory,
  };
}

/** @param {import('./load/open-loop.mjs').Plan} plan @returns {Promise<import('./load/open-loop.mjs').OpenLoopResult>} */
async function runPlan(plan) {
  const child = start([program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const answered = once(child, 'message');
  child.send(plan);
  const [{ result, error }] = await answered;
  await stop(child, 'SIGTERM');
  if (error !== undefined) throw new Error(error);
  return result;
}

/**
 * Reads ids of verifications that are spread over the list.
 * @param {number} port
 * @param {{ key: string, rows: number, wanted: number }} of
 */
async function someIds(port, { key, rows, wanted }) {
  const serial = await openSerial(port);
  const pages = Math.ceil(wanted / PAGE);
  const ids = [];
  for (let page = 0; page < pages; page += 1) {
    const number = 1 + Math.floor((page * Math.ceil(rows / PAGE)) / pages);
    const path = `/api/v1/verifications?limit=${PAGE}&page=${number}`;
    const { data } = JSON.parse(await serial.read(path, { 'X-API-Key': key }));
    ids.push(...data.verifications.map((/** @type {{ id: string }} */ { id }) => id));
  }
  serial.close();
  return ids;
}
