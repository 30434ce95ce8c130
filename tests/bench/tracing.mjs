// Measures what traces cost: the server without them beside one that sends them, and beside a program of an earlier version, which knows
// no traces. BASELINE_PROGRAM names its main.js.
//
// Two processes of one program differ by up to 4 %, as long as they run. So each program starts several times, the earlier one twice each
// time: the ratio of these two shows how much of the other ratios is chance.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fill } from './compare.mjs';
import { createKeysInSqlite } from './create-clients.mjs';
import { SHORT } from './extent.mjs';
import { startLoader } from './load/loader.mjs';
import { startServer } from './programs.mjs';
import { interleave, medianRatio } from './rounds.mjs';
import { rowsInSqlite } from './rows-of-creation.mjs';
import { workFolder } from './work-folder.mjs';

/** The least share of the earlier version's requests a second that a server without traces must reach. */
const LEAST = 0.99;
const MOST_PER_SECOND = 30_000;
const STARTS = 8;
/** Rounds and verifications of each start. */
const ROUNDS = 3;
const VERIFICATIONS = 2_000;

/** @typedef {'get' | 'post'} Kind */

/**
 * @param {import('./extent.mjs').Extent} extent
 * @param {{ say: (line: string) => void }} options `say` reports progress
 * @returns {Promise<import('./benchmarks.mjs').Result>}
 */
export async function benchTracing(extent, { say }) {
  const folder = workFolder();
  const loader = startLoader();
  const collector = createServer((request, response) => request.on('end', () => response.end()).resume());
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (collector.address());
  const { BASELINE_PROGRAM: baseline } = process.env;
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}` };
  const starts = extent === SHORT ? 1 : STARTS;
  /** @type {readonly { name: string, env: Record<string, string>, program?: string }[]} */
  const programs = [
    { name: 'off', env: {} },
    { name: 'on', env: traced },
    ...(baseline === undefined
      ? []
      : [
          { name: 'before', env: {}, program: baseline },
          { name: 'before-again', env: {}, program: baseline },
        ]),
  ];
  let prefixes = 0;
  const noRounds = () => Object.fromEntries(programs.map(({ name }) => [name, []]));
  /** @type {Record<Kind, Record<string, import('./rounds.mjs').Measured[]>>} */
  const measured = { get: noRounds(), post: noRounds() };
  for (let start = 0; start < starts; start++) {
    say(`start ${start + 1} of ${starts} …`);
    // Alternates the order, because the first server may find the machine in another state.
    await measureOnce(start, start % 2 === 0 ? programs : programs.toReversed());
  }
  await loader.stop();
  collector.close();
  collector.closeAllConnections();

  const lines = [];
  let ok = true;
  for (const kind of /** @type {const} */ (['get', 'post'])) {
    const { off, on, before, 'before-again': again } = measured[kind];
    lines.push(`${kind.toUpperCase()} with traces, of without: ${medianRatio(on, off).toFixed(3)}`);
    if (before === undefined) continue;
    const cost = medianRatio(off, before);
    ok &&= cost >= LEAST;
    lines.push(`${kind.toUpperCase()} without traces, of before: ${cost.toFixed(3)} (at least ${LEAST})`);
    lines.push(
      `${kind.toUpperCase()} before, of another process of the same: ${medianRatio(again, before).toFixed(3)}`,
    );
  }
  return { text: `${lines.join('\n')}\n`, ok };

  /** @param {number} start @param {typeof programs} ordered */
  async function measureOnce(start, ordered) {
    const all = [];
    for (const { name, env, program } of ordered) {
      all.push({ name, ...(await givenServer(`${name}-${start}`, env, program)) });
    }
    const perServer = new Map(all.map((given) => [given.server, given]));
    for (const kind of /** @type {const} */ (['get', 'post'])) {
      await measure(perServer, kind, 1, extent.warmUpSeconds);
      const rounds = await measure(perServer, kind, Math.min(ROUNDS, extent[kind].rounds), extent[kind].seconds);
      for (const { name, server } of all) measured[kind][name]?.push(...(rounds.get(server) ?? []));
    }
    for (const { server } of all) await server.stop();
  }

  /**
   * @param {Map<import('./programs.mjs').Program, Awaited<ReturnType<typeof givenServer>> & { name: string }>} perServer
   * @param {Kind} kind
   * @param {number} rounds
   * @param {number} seconds
   */
  function measure(perServer, kind, rounds, seconds) {
    return interleave([...perServer.keys()], rounds, (server) => {
      const { name, keys, created } = /** @type {NonNullable<ReturnType<typeof perServer.get>>} */ (
        perServer.get(server)
      );
      const prefix = `${name}-${prefixes++}`;
      return loader.run({
        port: server.port,
        connections: extent[kind].atOnce,
        seconds,
        requests: Math.ceil(seconds * MOST_PER_SECOND),
        keys,
        kind: kind === 'get' ? { name: kind, targets: created } : { name: kind, prefix, collect: false },
      });
    });
  }

  /** @param {string} name @param {Record<string, string>} env @param {string} [program] */
  async function givenServer(name, env, program) {
    const dataDir = join(folder, name);
    mkdirSync(dataDir);
    const file = join(dataDir, 'countersign.db');
    const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: 'https://verify.example' };
    const rowsOf = (/** @type {string} */ reference) => rowsInSqlite(file, reference);
    const database = { env: { DATA_DIR: dataDir, ...env }, rowsOf };
    const server = await startServer({
      database,
      logFile: join(folder, `${name}.log`),
      secrets,
      ...(program !== undefined && { program }),
    });
    const keys = await createKeysInSqlite(file, extent.clients);
    const verifications = Math.min(VERIFICATIONS, extent.verifications);
    const created = await fill(loader, server, { verifications, keys });
    return { server, keys, created };
  }
}
