// Benchmarks the server on Postgres against a minimal program that runs the same statements on the same data.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './children.mjs';
import { compare, fill } from './compare.mjs';
import { createKeysInPostgres } from './keys-in-postgres.mjs';
import { startLoader } from './load/loader.mjs';
import { startReference, startServer } from './programs.mjs';
import { rowsInPostgres } from './rows-of-creation.mjs';
import { workFolder } from './work-folder.mjs';

const program = fileURLToPath(new URL('./reference-postgres/program.mjs', import.meta.url));
const holder = fileURLToPath(new URL('./postgres-holder.ts', import.meta.url));

/**
 * @param {import('./extent.mjs').Extent} extent
 * @param {{ say: (line: string) => void }} options `say` reports progress
 */
export async function benchPostgres(extent, { say }) {
  const folder = workFolder();
  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: 'https://verify.example' };
  const logFile = join(folder, 'server.log');
  const loader = startLoader();
  const postgres = await startPostgres();

  say(`${extent.verifications} verifications of ${extent.clients} clients …`);
  const ofServer = await postgres.createDatabase();
  const keys = await createKeysInPostgres(ofServer.url, extent.clients);
  const filling = await startServer({ database: ofServer, logFile, secrets });
  const created = await fill(loader, filling, { verifications: extent.verifications, keys });
  await filling.stop();
  const copy = await postgres.createDatabase(ofServer.url);

  const server = await startServer({ database: ofServer, logFile, secrets });
  const reference = await startReference({ args: [program], database: copy, secrets });
  const figures = await compare(extent, { server, reference, loader, keys, created, say });
  for (const program of [server, reference, loader, postgres]) await program.stop();
  return figures;
}

/** Starts one Postgres for both programs, which take turns, each with a separate database. */
async function startPostgres() {
  const { PATH = '', TMPDIR = '', TEST_POSTGRES_URL = '' } = process.env;
  const child = start(['--experimental-strip-types', '--no-warnings', holder], {
    env: { PATH, ...(TMPDIR && { TMPDIR }), TEST_POSTGRES_URL },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`Postgres ended with ${code}`)));
  // A pending call reports this rejection; otherwise it is ignored.
  ended.catch(() => undefined);
  await Promise.race([once(child, 'message'), ended]);

  return {
    /** @param {string} [template] the URL of a database to copy */
    async createDatabase(template) {
      const made = once(child, 'message');
      child.send({ template });
      const [{ url, pid, error }] = await Promise.race([made, ended]);
      if (error !== undefined) throw new Error(`could not create a database: ${error}`);
      return {
        url: /** @type {string} */ (url),
        pid: /** @type {number | undefined} */ (pid),
        env: { DATABASE_URL: url },
        /** @param {string} subjectReference */
        rowsOf: (subjectReference) => rowsInPostgres(url, subjectReference),
      };
    },
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
