// Databases with hash partitions, thousands of clients and millions of verifications.
import { randomBytes } from 'node:crypto';
import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeysInPostgres } from './create-clients.mjs';
import { fillPostgres } from './data/fill-postgres.mjs';
import { createSeal, makePatterns } from './data/patterns.mjs';
import { createVerification, makeDataDir } from './installations.mjs';
import { startPostgres } from './postgres-server.mjs';
import { startServer } from './programs.mjs';
import { createPool } from './reference-postgres/driver.mjs';
import { PUBLIC_BASE_URL, signedIn } from './signed-in.mjs';
import { workFolder } from './work-folder.mjs';

/**
 * @typedef {object} ScaleDatabase
 * @property {number} rows
 * @property {import('./programs.mjs').Program} server
 * @property {readonly { id: string, key: number }[]} targets verifications of the clients with keys, by the number of the key
 * @property {readonly IndexSize[]} indexes
 *
 * @typedef {{ name: string, bytes: number }} IndexSize of all partitions together
 */

const PARTITIONS = new URL('../../packages/storage-postgres/scaling/hash-partitions.sql', import.meta.url);
/** With indexes and the log of the filling. */
const BYTES_OF_A_ROW = 6_000;
const TARGETS_OF_A_CLIENT = 5;

/**
 * Makes a database of each size, each with the same clients, and starts its server.
 * @param {{ sizes: readonly number[], clients: number, withKey: number, days: number }} wanted `withKey`: clients that the
 *   benchmark calls
 * @param {{ say: (line: string) => void }} given
 */
export async function makeScaleDatabases({ sizes, clients, withKey, days }, { say }) {
  requireSpace(sizes.reduce((sum, rows) => sum + rows, 0));
  const folder = workFolder();
  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: PUBLIC_BASE_URL };
  const postgres = await startPostgres();
  const dataDirOfFirst = join(folder, 'first');
  const envOf = (/** @type {string} */ name, /** @type {{ DATABASE_URL: string }} */ env) => {
    const dataDir = makeDataDir(folder, name, dataDirOfFirst);
    return { ...env, DATA_DIR: dataDir, SECOND_FACTOR: 'optional' };
  };

  say(`${clients} clients …`);
  const first = await postgres.createDatabase();
  await partition(first.url);
  const keys = await createKeysInPostgres(first.url, withKey);
  const clientIds = await addClients(first.url, clients - withKey);
  const database = { ...first, env: envOf('first', first.env) };
  const filling = await startServer({ database, logFile: join(folder, 'first.log'), secrets });
  const reviewer = await signedIn(filling, database.env, ['--role', 'reviewer']);
  await createVerification(filling.port, keys[0] ?? '');
  await filling.stop();

  const making = { patterns: await makePatterns(), seal: await createSeal(secrets.secret), now: Date.now() };
  /** @type {ScaleDatabase[]} */
  const databases = [];
  for (const rows of sizes) {
    say(`${rows} verifications …`);
    const copy = await postgres.createDatabase(first.url);
    await fillPostgres(copy.url, { count: rows, clientIds, days, everyFilter: false }, making);
    databases.push({
      rows,
      targets: await targetsIn(copy.url, clientIds.slice(0, withKey)),
      indexes: await indexSizes(copy.url),
      server: await startServer({
        database: { ...copy, env: envOf(String(rows), copy.env) },
        logFile: join(folder, `${rows}.log`),
        secrets,
      }),
    });
  }
  return {
    keys,
    reviewer,
    databases,
    async stop() {
      for (const { server } of databases) await server.stop();
      await postgres.stop();
    },
  };
}

/** @param {number} rows @throws if the disk is too small for them */
function requireSpace(rows) {
  const place = process.env.TMPDIR ?? tmpdir();
  const { bavail, bsize } = statfsSync(place);
  const [free, needed] = [bavail * bsize, rows * BYTES_OF_A_ROW];
  if (free >= needed) return;
  const gigabytes = (/** @type {number} */ bytes) => (bytes / 1e9).toFixed(0);
  throw new Error(
    `${place} has ${gigabytes(free)} GB free, and ${rows} verifications need up to ${gigabytes(needed)} GB. Free some, or measure fewer with --rows`,
  );
}

/**
 * @template T
 * @param {string} url
 * @param {(run: (text: string, values?: unknown[]) => Promise<Record<string, any>[]>) => Promise<T>} use
 */
async function connected(url, use) {
  const db = createPool(url, 1);
  try {
    return await use((text, values = []) => db.unsafe(text, values, { prepare: false }));
  } finally {
    await db.end();
  }
}

/** Creates the tables and splits them as docs/operations.md says. @param {string} url */
async function partition(url) {
  const { migratePostgres } = await import(
    new URL('../../packages/storage-postgres/dist/index.js', import.meta.url).href
  );
  await migratePostgres({ url });
  await connected(url, (run) => run(readFileSync(PARTITIONS, 'utf8')));
}

/**
 * Adds clients like the first one, each with a random key that is not kept.
 * @param {string} url
 * @param {number} count
 * @returns {Promise<string[]>} the ids of all clients, those that were there first in the order of their creation
 */
function addClients(url, count) {
  return connected(url, async (run) => {
    const known = await run('select id from clients order by created_at, id');
    await run(
      `insert into clients
       select (jsonb_populate_record(null::clients, to_jsonb(c) || jsonb_build_object('id', gen_random_uuid(), 'name', 'Client ' || n))).*
       from (select * from clients order by created_at, id limit 1) c, generate_series(1, ${count}) n`,
    );
    await run(
      `insert into subscriptions
       select (jsonb_populate_record(null::subscriptions, to_jsonb(s) || jsonb_build_object('client_id', c.id))).*
       from (select * from subscriptions limit 1) s, clients c
       where not exists (select from subscriptions o where o.client_id = c.id)`,
    );
    await run(
      `insert into api_keys
       select (jsonb_populate_record(null::api_keys, to_jsonb(k) || jsonb_build_object(
         'client_id', c.id, 'id', gen_random_uuid(),
         'hash', '\\x' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')))).*
       from (select * from api_keys limit 1) k, clients c
       where not exists (select from api_keys o where o.client_id = c.id)`,
    );
    const first = known.map(({ id }) => String(id));
    const all = await run('select id from clients');
    const others = all.map(({ id }) => String(id)).filter((id) => !first.includes(id));
    return [...first, ...others];
  });
}

/** @param {string} url @param {readonly string[]} clientIds in the order of the keys */
function targetsIn(url, clientIds) {
  return connected(url, async (run) => {
    const targets = [];
    for (const [key, clientId] of clientIds.entries()) {
      const text = `select id from verifications where client_id = $1 order by id limit ${TARGETS_OF_A_CLIENT}`;
      for (const { id } of await run(text, [clientId])) targets.push({ id: String(id), key });
    }
    return targets;
  });
}

/** @param {string} url @returns {Promise<IndexSize[]>} of verifications and their events, without primary keys of other tables */
function indexSizes(url) {
  return connected(url, async (run) => {
    const rows = await run(
      `select regexp_replace(i.relname, '_[0-9]+$', '') as name, sum(pg_relation_size(i.oid))::float8 as bytes
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
       where t.relname ~ '^verification' and t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
       group by 1 having sum(pg_relation_size(i.oid)) > 0 order by 1`,
    );
    return rows.map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }));
  });
}
