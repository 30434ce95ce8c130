// Measures what traces cost: the server without them beside one that sends them, and beside a program of an earlier version, which knows
// no traces. BASELINE_PROGRAM names its main.js.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fill } from './compare.mjs';
import { startLoader } from './load/loader.mjs';
import { startServer } from './programs.mjs';
import { interleave, medianRatio } from './rounds.mjs';
import { rowsInSqlite } from './rows-of-creation.mjs';
import { createKeys } from './sqlite.mjs';
import { workFolder } from './work-folder.mjs';

/** The least requests a second of a server without traces, of the same before there were any. */
const LEAST = 0.99;
const MOST_PER_SECOND = 30_000;

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

  const off = await givenServer('without traces', {});
  const on = await givenServer('with traces', traced);
  const before = baseline === undefined ? undefined : await givenServer('before', {}, baseline);
  const all = before === undefined ? [off, on] : [off, on, before];
  const perServer = new Map(all.map((given) => [given.server, given]));
  const servers = all.map(({ server }) => server);
  let prefixes = 0;

  /** @param {'get' | 'post'} name @param {number} rounds @param {number} seconds */
  const measure = (name, rounds, seconds) =>
    interleave(servers, rounds, (server) => {
      const { keys, created } = /** @type {typeof off} */ (perServer.get(server));
      return loader.run({
        port: server.port,
        connections: extent[name].atOnce,
        seconds,
        requests: Math.ceil(seconds * MOST_PER_SECOND),
        keys,
        kind:
          name === 'get'
            ? { name, targets: created }
            : { name, prefix: `${server.name}-${prefixes++}`, collect: false },
      });
    });

  const lines = [];
  let ok = true;
  for (const name of /** @type {const} */ (['get', 'post'])) {
    say(`${name}, warming up …`);
    await measure(name, 1, extent.warmUpSeconds);
    say(`${name} …`);
    const rounds = await measure(name, extent[name].rounds, extent[name].seconds);
    const ratio = (/** @type {typeof off} */ a, /** @type {typeof off} */ b) =>
      medianRatio(rounds.get(a.server), rounds.get(b.server));
    lines.push(`${name.toUpperCase()} with traces, of without: ${ratio(on, off).toFixed(3)}`);
    if (before !== undefined) {
      const cost = ratio(off, before);
      ok &&= cost >= LEAST;
      lines.push(`${name.toUpperCase()} without traces, of before: ${cost.toFixed(3)} (at least ${LEAST})`);
    }
  }
  for (const { server } of all) await server.stop();
  await loader.stop();
  collector.close();
  collector.closeAllConnections();
  return { text: `${lines.join('\n')}\n`, ok };

  /** @param {string} name @param {Record<string, string>} env @param {string} [program] */
  async function givenServer(name, env, program) {
    const dataDir = join(folder, name.replaceAll(' ', '-'));
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
    const keys = await createKeys({ DATA_DIR: dataDir }, extent.clients);
    const created = await fill(loader, server, { verifications: extent.verifications, keys });
    return { server, keys, created };
  }
}
