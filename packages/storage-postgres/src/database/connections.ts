import { targetOf } from '../connection/connect-once.ts';
import { createSession, type PooledSession } from '../connection/session.ts';
import { withDirect } from './direct.ts';
import type { PostgresConnections, PostgresPool } from './postgres-connections.ts';

/** Where and how to connect. */
export interface ConnectionSettings {
  readonly url: string;
  readonly directUrl: string | undefined;
  readonly size: number;
  readonly isNamed: boolean;
  readonly deadlineMs: number;
  readonly applicationName: string;
}

export function createConnections({ url, directUrl, ...settings }: ConnectionSettings): PostgresConnections {
  return {
    openPool() {
      const session = createSession({ target: targetOf(url), ...settings });
      return { ...poolOf(session), close: session.close };
    },
    connect: (work, { isDirect }) => {
      const { applicationName } = settings;
      const target = targetOf((isDirect ? directUrl : undefined) ?? url);
      return withDirect({ target, applicationName }, ({ run }) => work(run));
    },
  };
}

/** Returns the pool of a session, which stays open when the pool is closed. */
export function poolOf({ run, begin }: Pick<PooledSession, 'run' | 'begin'>): PostgresPool {
  return {
    run,
    begin,
    close: async () => undefined,
  };
}
