import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onAFreePort } from './on-a-free-port.ts';
import { programOnPath } from './program-on-path.ts';
import { makeServerFolder } from './server-folder.ts';
import { startProcess } from './server-process.ts';
import { watch } from './watchdog.ts';

export interface PgBouncerServer {
  /** The URL of the same database through PgBouncer. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a PgBouncer in transaction mode in front of a Postgres. It ends with this process at the latest. */
export async function startPgBouncer(postgresUrl: string): Promise<PgBouncerServer> {
  const command = programOnPath('pgbouncer');
  if (command === undefined) throw new Error('pgbouncer is not on the PATH');
  const folder = makeServerFolder();
  const watchdog = watch('TERM', folder);
  const remove = () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    watchdog.release();
  };
  const file = join(folder, 'pgbouncer.ini');
  const url = new URL(postgresUrl);
  try {
    const server = await onAFreePort((port) => {
      writeFileSync(file, settings(new URL(postgresUrl), port));
      url.host = `127.0.0.1:${port}`;
      return startProcess({ command, args: [file], ready: /process up/ }, folder);
    });
    return {
      url: url.href,
      pid: server.pid,
      async stop() {
        await server.end('SIGKILL');
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Without authentication, because it listens on this machine only: connections get the rights of the URL's user. */
function settings(server: URL, port: number): string {
  const name = decodeURIComponent(server.pathname.slice(1));
  const login = `user=${decodeURIComponent(server.username)} password=${decodeURIComponent(server.password)}`;
  return `[databases]
${name} = host=${server.hostname} port=${server.port || 5432} dbname=${name} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_tls_sslmode = prefer
`;
}
