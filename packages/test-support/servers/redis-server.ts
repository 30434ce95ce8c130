import { rmSync } from 'node:fs';
import { onAFreePort } from './on-a-free-port.ts';
import { programOnPath } from './program-on-path.ts';
import { makeServerFolder } from './server-folder.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { watch } from './watchdog.ts';

export interface RedisOptions {
  /** Server settings, for instance `{ requirepass: 'hidden' }`, which the URL then contains. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Starts a separate server even with TEST_REDIS_URL, for tests that freeze it. `settings` imply it. */
  readonly own?: boolean;
}

export interface RedisServer {
  readonly url: string;
  /** Undefined while it is stopped and for the server of TEST_REDIS_URL. */
  readonly pid: number | undefined;
  /** Suspends it (SIGSTOP): connections stay open, but get no answers. */
  freeze(): void;
  thaw(): void;
  /** Stops it and loses its data. */
  stop(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
}

/** Returns a Redis: the server of TEST_REDIS_URL, or a new server that ends with this process at the latest. */
export async function startRedis({ settings, own = false }: RedisOptions = {}): Promise<RedisServer> {
  const existing = process.env.TEST_REDIS_URL;
  if (existing && !own && settings === undefined) return foreign(existing);

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
  const watchdog = watch('TERM', folder);
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
    throw new Error('the server of TEST_REDIS_URL must not be stopped: start one with { own: true }');
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
