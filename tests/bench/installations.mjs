// Installations with databases of several sizes: one is set up through the command line, the server and its pages, copied,
// and each copy filled.
import { randomBytes } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fill } from './compare.mjs';
import { createClientsInPostgres, createClientsInSqlite } from './create-clients.mjs';
import { fillPostgres } from './data/fill-postgres.mjs';
import { fillSqlite } from './data/fill-sqlite.mjs';
import { createSeal, makePatterns } from './data/patterns.mjs';
import { startPostgres } from './postgres-server.mjs';
import { startCommand, startServer } from './programs.mjs';
import { PUBLIC_BASE_URL, signedIn } from './signed-in.mjs';
import { workFolder } from './work-folder.mjs';

/**
 * @typedef {'sqlite' | 'postgres'} Kind
 * @typedef {import('./programs.mjs').Program} Program
 * @typedef {import('./programs.mjs').Database} Database
 *
 * @typedef {object} Setup what every installation has
 * @property {string} clientId of the client with the many verifications; of several, the first
 * @property {string} key of the same client
 * @property {string} otherKey of another client
 * @property {readonly { id: string, key: number }[]} others verifications of the other client; `key` is 0
 * @property {string} owner `Cookie` of a signed-in user of the client
 * @property {string} reviewer `Cookie` of a signed-in reviewer; empty unless `staff` is wanted
 * @property {string} operator `Cookie` of a signed-in operator; empty unless `staff` is wanted
 * @property {string} verificationUrl of one of the client's verifications
 *
 * @typedef {object} Installation
 * @property {number} rows verifications of the client
 * @property {string} place file or URL of the database
 * @property {Program} server
 * @property {(env: Record<string, string>, program?: string) => Promise<Program>} run starts another server on the database, with more
 *   settings, after `server` was stopped; `program`: the main.js of another version
 * @property {(...args: string[]) => import('./programs.mjs').RunningCommand} begin starts a command of the program on the database
 * @property {(name: string) => Promise<Database & { readonly place: string }>} copy copies the database, after `server`
 *   was stopped
 *
 * @typedef {object} Installations
 * @property {Setup} setup
 * @property {readonly Installation[]} installations in the order of their sizes
 * @property {() => Promise<void>} stop
 */

/**
 * Makes an installation of each size and starts its server.
 * @param {Kind} kind
 * @param {{ sizes: readonly number[], others: number, days: number, staff: boolean, clients?: number, isWaiting?: boolean, fillMore?: (place: string, rows: number, secret: string) => void | Promise<void> }} wanted
 *   `others`: verifications of the other client; `staff`: with a reviewer and an operator; `clients` that have the many verifications,
 *   default 1; `isWaiting`: all of these wait for a reviewer; `fillMore` adds rows to other tables
 * @param {{ loader: Parameters<typeof fill>[0], say: (line: string) => void }} given
 * @returns {Promise<Installations>}
 */
export async function makeInstallations(kind, wanted, { loader, say }) {
  const { sizes, others, days, staff, clients = 1, isWaiting = false, fillMore } = wanted;
  const folder = workFolder();
  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: PUBLIC_BASE_URL };
  const databases = await (kind === 'sqlite' ? inSqlite(folder) : inPostgres(folder));
  const first = await databases.create('first');

  say(staff ? 'a client, a user, a reviewer …' : 'a client, a user …');
  const [other, large, ...more] = await first.createClients(clients + 1);
  const logFile = join(folder, 'first.log');
  const server = await startServer({ database: first, logFile, secrets });
  const user = (/** @type {string[]} */ ...role) => signedIn(server, first.env, role);
  const owner = await user('--role', 'client', '--client', large.id);
  const reviewer = staff ? await user('--role', 'reviewer') : '';
  const operator = staff ? await user('--role', 'operator') : '';
  const verificationUrl = await createVerification(server.port, large.key);
  const ofOther = await fill(loader, server, { verifications: others, keys: [other.key] });
  await server.stop();

  const making = { patterns: await makePatterns(), seal: await createSeal(secrets.secret), now: Date.now() };
  /** @type {Installation[]} */
  const installations = [];
  for (const rows of sizes) {
    say(`${rows} verifications …`);
    const database = await databases.create(String(rows), first);
    const clientIds = [large, ...more].map(({ id }) => id);
    await database.addRows({ count: rows - 1, clientIds, days, everyFilter: !isWaiting, isWaiting }, making);
    await fillMore?.(database.place, rows, secrets.secret);
    const logFile = join(folder, `${rows}.log`);
    /** @param {Record<string, string>} env @param {string} [program] */
    const run = (env, program) =>
      startServer({
        database: { ...database, env: { ...database.env, ...env } },
        logFile,
        secrets,
        ...(program && { program }),
      });
    const begin = (/** @type {string[]} */ ...args) => startCommand({ database, logFile, secrets }, ...args);
    const copy = (/** @type {string} */ name) => databases.create(name, database);
    installations.push({ rows, place: database.place, server: await run({}), run, begin, copy });
  }
  return {
    setup: {
      clientId: large.id,
      key: large.key,
      otherKey: other.key,
      others: ofOther,
      owner,
      reviewer,
      operator,
      verificationUrl,
    },
    installations,
    async stop() {
      for (const each of installations) await each.server.stop();
      await databases.stop();
    },
  };
}

/**
 * Creates a verification, the pattern of all that are made without the API.
 * @param {number} port
 * @param {string} key
 * @returns {Promise<string>} its `verificationUrl`
 */
export async function createVerification(port, key) {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/verifications`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({
      subjectType: 'kyc',
      subjectReference: 'pattern',
      metadata: { source: 'checkout', tier: 2, tags: ['new', 'web'] },
    }),
  });
  const { data } = /** @type {{ data: { verificationUrl: string } }} */ (await response.json());
  return data.verificationUrl;
}

/**
 * @typedef {{ id: string, key: string }} NewClient
 * @typedef {Database & { readonly place: string, createClients(count: number): Promise<[NewClient, NewClient, ...NewClient[]]>, addRows: (...given: Parameters<typeof fillSqlite> extends [string, ...infer Rest] ? Rest : never) => Promise<void> }} FillableDatabase
 * @typedef {{ create(name: string, from?: FillableDatabase): Promise<FillableDatabase>, stop(): Promise<void> }} Databases
 */

/** @param {Promise<readonly NewClient[]>} made @returns {Promise<[NewClient, NewClient, ...NewClient[]]>} */
async function twoOrMore(made) {
  const [one, other, ...more] = await made;
  if (one === undefined || other === undefined) throw new Error('expected two clients');
  return [one, other, ...more];
}

/**
 * Makes the data directory of a database. That of a copy gets a copy of the erasure log, because the database stores which log is its own.
 * @param {string} folder
 * @param {string} name
 * @param {string} [from] the data directory of the database that is copied
 */
export function makeDataDir(folder, name, from) {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const log = from === undefined ? undefined : join(from, 'erasures');
  if (log !== undefined && existsSync(log)) cpSync(log, join(dataDir, 'erasures'), { recursive: true });
  return dataDir;
}

/** @param {string} folder @returns {Promise<Databases>} */
async function inSqlite(folder) {
  return {
    async create(name, from) {
      const dataDir = makeDataDir(folder, name, from?.env.DATA_DIR);
      const file = join(dataDir, 'countersign.db');
      // Closing the last connection merged the write-ahead log into the file.
      if (from !== undefined) copyFileSync(from.place, file);
      return {
        place: file,
        env: { DATA_DIR: dataDir, SECOND_FACTOR: 'optional' },
        rowsOf: () => undefined,
        createClients: (count) => twoOrMore(createClientsInSqlite(file, count)),
        addRows: (wanted, making) => fillSqlite(file, wanted, making),
      };
    },
    stop: async () => undefined,
  };
}

/** @param {string} folder @returns {Promise<Databases>} */
async function inPostgres(folder) {
  const postgres = await startPostgres();
  return {
    async create(name, from) {
      const { url, pid, rowsOf } = await postgres.createDatabase(from?.place);
      const dataDir = makeDataDir(folder, name, from?.env.DATA_DIR);
      return {
        place: url,
        pid,
        env: { DATABASE_URL: url, DATA_DIR: dataDir, SECOND_FACTOR: 'optional' },
        rowsOf,
        createClients: (count) => twoOrMore(createClientsInPostgres(url, count)),
        addRows: (wanted, making) => fillPostgres(url, wanted, making),
      };
    },
    stop: postgres.stop,
  };
}
