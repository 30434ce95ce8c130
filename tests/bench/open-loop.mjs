// Measures response times at a steady rate that does not wait for answers, of the server and of a reference program in
// turns, a revoked key in the middle of it, and the memory after many requests.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { start, stop } from './children.mjs';
import { openBeside } from './create-clients.mjs';
import { makeInstallations } from './installations.mjs';
import { startLoader } from './load/loader.mjs';
import { openSerial } from './load/serial.mjs';
import { startReference } from './programs.mjs';
import { interleave, summary } from './rounds.mjs';
import { PUBLIC_BASE_URL } from './signed-in.mjs';
import { residentMegabytes } from './usage.mjs';

/**
 * @typedef {import('./installations.mjs').Kind} Kind
 * @typedef {Awaited<ReturnType<typeof benchOpenLoop>>} OpenLoopFigures
 *
 * @typedef {object} OpenLoopExtent
 * @property {number} rows verifications of the client
 * @property {number} ids how many of them are read
 * @property {number} seconds of the open loop, for each program
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
/** Each program has so many turns. */
const TURNS = 2;
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
  const { place, ...installation } = /** @type {import('./installations.mjs').Installation} */ (installations[0]);
  await installation.server.stop();
  const reference = await startReferenceOn(kind, await installation.copy('reference'));
  const server = await installation.run({});
  const beside = await openBeside(kind, place);
  const { key, value } = await beside.apiKeys.issue(setup.clientId, { name: 'to revoke', permissions: ['*'] });
  const ids = await someIds(server.port, { key: setup.key, rows, wanted: wantedIds });

  /** @param {{ name: string, port: number }} of @param {number} part @param {number} duration */
  const plan = ({ name, port }, part, duration) => ({
    port,
    connections: CONNECTIONS,
    perSecond: perSecond[kind],
    seconds: duration,
    keys: name === 'server' ? [setup.key, value] : [setup.key],
    ids,
    creationEvery: CREATION_EVERY,
    prefix: `open-${part}`,
  });
  say('warming up …');
  for (const each of [server, reference]) await runPlan(plan(each, -1, warmUpSeconds));

  say(`${perSecond[kind]} requests a second for ${seconds} s, and a key is revoked …`);
  const turn = seconds / TURNS;
  let revokedAt = Infinity;
  async function revoke() {
    await pause(turn * 500);
    await beside.apiKeys.revoke(setup.clientId, key.id);
    revokedAt = performance.timeOrigin + performance.now();
  }
  /** @type {Map<import('./programs.mjs').Program, import('./load/open-loop.mjs').OpenLoopResult[]>} */
  const results = new Map([
    [server, []],
    [reference, []],
  ]);
  const measured = await interleave([reference, server], TURNS, async (each, part) => {
    const revoking = each === server && part === TURNS - 1 ? revoke() : undefined;
    const [result] = await Promise.all([runPlan(plan(each, part, turn)), revoking]);
    results.get(each)?.push(result);
    return { requests: result.requests, seconds: turn };
  });
  await beside.close();
  await reference.stop();
  /** @param {import('./programs.mjs').Program} of */
  const figuresOf = (of) => {
    const ofIt = results.get(of) ?? [];
    return { ...summary(measured.get(of)), milliseconds: ofIt.flatMap(({ milliseconds }) => milliseconds) };
  };
  const ofServer = figuresOf(server);

  say(`memory after ${requests} requests …`);
  const memory = [];
  const created = ids.map((id) => ({ id, key: 0 }));
  for (let answered = ofServer.requests, next = 0, part = 0; answered < requests; part += 1) {
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
  await server.stop();
  await stopAll();
  return {
    kind,
    rows,
    perSecond: perSecond[kind],
    seconds,
    server: ofServer,
    reference: figuresOf(reference),
    others: (results.get(server) ?? []).flatMap(({ others }) => others),
    revokedAt,
    memory,
  };
}

/**
 * Starts the program without layers, whose times are what the machine allows.
 * @param {Kind} kind
 * @param {import('./programs.mjs').Database & { readonly place: string }} database
 */
function startReferenceOn(kind, database) {
  const of = fileURLToPath(new URL(`./reference-${kind}/program.mjs`, import.meta.url));
  const args = kind === 'sqlite' ? [of, database.place, 'group'] : [of];
  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: PUBLIC_BASE_URL };
  return startReference({ args, database, secrets });
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
