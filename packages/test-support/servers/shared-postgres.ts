import { whatIsMissing } from './available.ts';
import { prepareDataFolder } from './data-folder.ts';
import { ownPostgres } from './own-postgres.ts';

const { env } = process;
/** Set by the main process for the workers. */
const URL_OF_RUN = 'TEST_SHARED_POSTGRES_URL';

/** Returns the URL of the test run's shared server, if any. */
export function sharedUrl(): string | undefined {
  return env[URL_OF_RUN];
}

/**
 * Vitest calls this once before all tests. Starts one server for a whole test run, because starting one takes as long as
 * the tests of most files. Tests that need more than a separate database start their own.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (env.TEST_SHARED_SERVERS !== 'on' || env.TEST_POSTGRES_URL || whatIsMissing('postgres')) return undefined;
  const removeDataFolder = await prepareDataFolder();
  const server = await ownPostgres({ fsync: false, settings: { max_connections: 300 } });
  env[URL_OF_RUN] = server.url;
  return async () => {
    delete env[URL_OF_RUN];
    await server.stop();
    removeDataFolder();
  };
}
