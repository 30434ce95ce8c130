import { afterAll, beforeAll } from 'vitest';
import type { PostgresOptions } from './postgres-options.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** Starts a Postgres before the tests of a file or group, which may use it from then on, and stops it after them. */
export function givenPostgres(options: PostgresOptions = { fsync: false }): PostgresServer {
  let started: PostgresServer | undefined;
  const server = (): PostgresServer => {
    if (started === undefined)
      throw new Error('Postgres starts before the tests: use it in a test or in beforeAll');
    return started;
  };
  beforeAll(async () => {
    started = await startPostgres(options);
  });
  afterAll(() => started?.stop());
  return {
    get pid() {
      return server().pid;
    },
    createDatabase: (template) => server().createDatabase(template),
    freeze: () => server().freeze(),
    thaw: () => server().thaw(),
    kill: () => server().kill(),
    restart: () => server().restart(),
    stop: () => server().stop(),
  };
}
