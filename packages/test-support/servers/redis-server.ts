import { rmSync } from 'node:fs';
import { onAFreePort } from './on-a-free-port.ts';
import { programOnPath } from './program-on-path.ts';
import { makeServerFolder } from './server-folder.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { watch } from './watchdog.ts';

export interface RedisOptions {
  /** Server settings, for instance `{ requirepass: 'hidden' }`, which then stands in the URL. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Even if TEST_REDIS_URL names one: for tests that freeze it. Servers with settings are always started. */
  readonly own?: boolean;
}

export interface RedisServer {
  readonly url: string;
  /** Undefined while it is stopped, and if the server is not ours, but the one of TEST_REDIS_URL. */
  readonly pid: number | undefined;
  /** Stops it where it stands (SIGSTOP): connections stay open, nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** Ends it, and all that it knows is gone. */
  stop(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
}

/** A real Redis: the one of TEST_REDIS_URL, else one started here that ends with this process at the latest. */
export async function startRedis({ settings, own = false }: RedisOptions = {}): Promise<RedisServer> {
  const given = process.env.TEST_REDIS_URL;
  if (given && !own && settings === undefined) return foreign(given);

  let port = 0;
  let running = await onAFreePort((free) => {
    port = free;
    return launch(free, settings);
  });
  let stopped = false;
  const password = settings?.requirepass;

  return {
    url: `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    get pid() {
      return stopped ? undefined : running.server.pid;
    },
    freeze: () => running.server.freeze(),
    thaw: () => running.server.thaw(),
    async stop() {
      stopped = true;
      await running.end();
    },
    async start() {
      running = await launch(port, settings);
      stopped = false;
    },
  };
}

interface Launched {
  readonly server: ServerProcess;
  end(): Promise<void>;
}

async function launch(port: number, settings: RedisOptions['settings'] = {}): Promise<Launched> {
  const command = programOnPath('redis-server');
  if (command === undefined) throw new Error('redis-server is not on the PATH');
  const folder = makeServerFolder();
  const watchdog = watch(folder, 'TERM');
  const remove = () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    watchdog.release();
  };
  const all = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', ...settings };
  try {
    const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const server = await startProcess({ command, args, ready: /Ready to accept connections/ }, folder);
    return {
      server,
      async end() {
        await server.end('SIGKILL');
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function foreign(url: string): RedisServer {
  const refuse = (): never => {
    throw new Error('the server of TEST_REDIS_URL is not ours to stop: start one with { own: true }');
  };
  return {
    url,
    pid: undefined,
    freeze: refuse,
    thaw: refuse,
    stop: async () => undefined,
    start: async () => refuse(),
  };
}
