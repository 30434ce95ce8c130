// Measures creations of one client that arrive together on Postgres, beside those of 16 and of 100 clients and beside a
// minimal program that charges each request alone.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fill } from './compare.mjs';
import { createKeysInPostgres } from './create-clients.mjs';
import { startLoader } from './load/loader.mjs';
import { measureLone } from './lone-creations.mjs';
import { startPostgres } from './postgres-server.mjs';
import { startReference, startServer } from './programs.mjs';
import { createPool } from './reference-postgres/driver.mjs';
import { interleave, medianRatio, summary } from './rounds.mjs';
import { assertSameAnswers } from './same-answers.mjs';
import { workFolder } from './work-folder.mjs';

const program = fileURLToPath(new URL('./reference-postgres/program.mjs', import.meta.url));

/** More creations than the server answers in a second, so that time ends a round, not the prepared requests. */
const MOST_PER_SECOND = 8_000;
const FULL = {
  some: 16,
  clients: 100,
  atOnce: [1, 4, 16, 64, 256],
  rounds: 7,
  seconds: 1,
  filled: 2_000,
  lone: 3_000,
};
const SHORT = { some: 2, clients: 3, atOnce: [1, 64], rounds: 1, seconds: 0.1, filled: 50, lone: 50 };

/**
 * @typedef {import('./rounds.mjs').Summary} Summary
 *
 * @typedef {object} AtOnce figures of one number of concurrent requests
 * @property {number} atOnce
 * @property {Summary} one the server, creations of one client
 * @property {Summary} some the server, creations of some clients
 * @property {Summary} many the server, creations of many clients
 * @property {Summary} reference the minimal program, creations of one client
 * @property {number} ofSome the speed of `one` by that of `some`
 * @property {number} ofMany the speed of `one` by that of `many`
 * @property {number} ofReference the speed of `one` by that of `reference`
 *
 * @typedef {{ some: number, clients: number, sizes: readonly AtOnce[], lone: import('./lone-creations.mjs').LoneFigures }} OneClientFigures
 */

/**
 * @param {{ short: boolean, say: (line: string) => void }} options `say` reports progress
 * @returns {Promise<OneClientFigures>}
 */
export async function benchOneClient({ short, say }) {
  const extent = short ? SHORT : FULL;
  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: 'https://verify.example' };
  const logFile = join(workFolder(), 'server.log');
  const loader = startLoader();
  const postgres = await startPostgres();

  const ofServer = await postgres.createDatabase();
  const keys = await createKeysInPostgres(ofServer.url, extent.clients);
  const filling = await startServer({ database: ofServer, logFile, secrets });
  const created = await fill(loader, filling, { verifications: extent.filled, keys });
  await filling.stop();
  await analyze(ofServer.url);
  const copy = await postgres.createDatabase(ofServer.url);
  const forLone = await postgres.createDatabase(ofServer.url);

  const server = await startServer({ database: ofServer, logFile, secrets });
  const reference = await startReference({ args: [program], database: copy, secrets });
  say('comparing answers and rows …');
  await assertSameAnswers(server, reference, { keys, created });

  const one = { ...server, keys: keys.slice(0, 1) };
  const some = { ...server, keys: keys.slice(0, extent.some) };
  const many = { ...server, keys };
  const referenceOfOne = { ...reference, keys: keys.slice(0, 1) };
  const variants = [one, some, many, referenceOfOne];
  let prefixes = 0;
  /** @param {number} connections @param {number} seconds @returns {(variant: typeof one) => ReturnType<typeof loader.run>} */
  const round = (connections, seconds) => (variant) =>
    loader.run({
      port: variant.port,
      connections,
      seconds,
      requests: Math.ceil(seconds * MOST_PER_SECOND),
      keys: variant.keys,
      kind: { name: 'post', prefix: `${variant.name}-${prefixes++}`, collect: false },
    });

  /** @type {AtOnce[]} */
  const sizes = [];
  for (const atOnce of extent.atOnce) {
    say(`POST /verifications, ${atOnce} at once …`);
    await interleave(variants, 1, round(atOnce, extent.seconds));
    const measured = await interleave(variants, extent.rounds, round(atOnce, extent.seconds));
    sizes.push({
      atOnce,
      one: summary(measured.get(one)),
      some: summary(measured.get(some)),
      many: summary(measured.get(many)),
      reference: summary(measured.get(referenceOfOne)),
      ofSome: medianRatio(measured.get(one), measured.get(some)),
      ofMany: medianRatio(measured.get(one), measured.get(many)),
      ofReference: medianRatio(measured.get(one), measured.get(referenceOfOne)),
    });
  }
  for (const each of [server, reference]) await each.stop();

  say('one creation after the other, with and without queues …');
  const lone = await measureLone(forLone.url, extent.lone);
  for (const each of [loader, postgres]) await each.stop();
  return { some: extent.some, clients: extent.clients, sizes, lone };
}

/**
 * Collects the planner's statistics, as Postgres itself does within a minute. Without them it may check foreign keys by an
 * index that reads all verifications of the client.
 * @param {string} url
 */
async function analyze(url) {
  const pool = createPool(url, 1);
  await pool.unsafe('vacuum (analyze)', [], { prepare: false });
  await pool.end();
}
