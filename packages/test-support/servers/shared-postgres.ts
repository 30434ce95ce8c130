import { whatIsMissing } from './available.ts';
import { ownPostgres } from './own-postgres.ts';

const { env } = process;
/** Set for the processes of the tests by the one that starts them. */
const URL_OF_RUN = 'TEST_SHARED_POSTGRES_URL';

/** The server of this run, where there is one. */
export function sharedUrl(): string | undefined {
  return env[URL_OF_RUN];
}

/**
 * Vitest calls this once before all tests. A whole run gets one server for the files whose tests need no more of it than
 * databases of their own: to make one takes as long as the tests of most files. Elsewhere each file starts its own.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (env.TEST_SHARED_SERVERS !== 'on' || env.TEST_POSTGRES_URL || whatIsMissing('postgres')) return undefined;
  const server = await ownPostgres({ fsync: false, settings: { max_connections: 300 } });
  env[URL_OF_RUN] = server.url;
  return async () => {
    delete env[URL_OF_RUN];
    await server.stop();
  };
}
