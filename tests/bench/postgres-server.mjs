// Starts a PostgreSQL for benchmarks.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { start } from './children.mjs';
import { rowsInPostgres } from './rows-of-creation.mjs';

const holder = fileURLToPath(new URL('./postgres-holder.ts', import.meta.url));

/** Starts one Postgres, in which each measured program has a separate database. */
export async function startPostgres() {
  const { PATH = '', TMPDIR = '', TEST_POSTGRES_URL = '', TEST_PREPARED_POSTGRES } = process.env;
  const child = start(['--experimental-strip-types', '--no-warnings', holder], {
    env: {
      PATH,
      ...(TMPDIR && { TMPDIR }),
      TEST_POSTGRES_URL,
      ...(TEST_PREPARED_POSTGRES && { TEST_PREPARED_POSTGRES }),
    },
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
