import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildServer } from '../../../scripts/server-bundle.mjs';
import { type Environment, type Finished, type Running, start } from './child-process.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The bundled program that `npm start` runs, built by the first test that needs it after a change. */
export const PROGRAM: string = await buildServer();

/** The flags of the program's first line and of `npm start`. */
const FLAGS = ['--max-semi-space-size=8', '--no-parallel-scavenge'];

/** Practically disables rate limits. */
const NO_RATE_LIMITS: Environment = {
  STANDARD_REQUESTS_PER_MINUTE: '1000000000',
  ENTERPRISE_REQUESTS_PER_MINUTE: '1000000000',
  ANONYMOUS_REQUESTS_PER_MINUTE: '1000000000',
  SIGNED_IN_REQUESTS_PER_MINUTE: '1000000000',
};

export interface ServerProcess extends Omit<Running, 'signal'> {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** `{base_url}` of the interface. */
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly databaseFile: string;
  /** The environment for commands on the same data. */
  readonly env: Environment;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<Finished>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<Finished>;
}

export interface ServerOptions {
  /** Default: a new directory. On Postgres, such servers share the erasure log of the database. */
  readonly dataDir?: string;
  readonly env?: Environment;
  /** Limits that `env` does not set: none, or the defaults of the program. Default: none. */
  readonly rateLimits?: 'none' | 'of the program';
  /** Whether the reader of documents runs, which takes half a second of processor time a picture. Default: false. */
  readonly readsDocuments?: boolean;
  /** Default: a free one. */
  readonly port?: number;
  /** A command that starts Node, for instance a shell that sets limits first. */
  readonly launcher?: readonly string[];
  /** Starts the command line. Default: Node, with the flags of `npm start` and the program. */
  readonly command?: readonly string[];
  /** What follows `serve`. */
  readonly flags?: readonly string[];
}

const HOST = '127.0.0.1';
/** Shortly before a test's timeout, so that the failure shows the server's output. */
const READY_WITHIN_MS = 110_000;
/** Long enough for a server on a busy machine; then it is asked again. */
const ANSWERS_WITHIN_MS = 20_000;
/** Longer than a server on a busy machine waits for its requests, and shorter than a test's timeout. */
const STOPS_WITHIN_MS = 100_000;
/** The log line of a server that listens. */
const LISTENS = /"listening"/;

/** Starts a server process on a free port. It ends with the test file at the latest. */
export async function startServer({
  dataDir: givenDataDir,
  env = {},
  rateLimits = 'none',
  readsDocuments = false,
  port: givenPort,
  launcher = [],
  command = [process.execPath, ...FLAGS, PROGRAM],
  flags = [],
}: ServerOptions = {}): Promise<ServerProcess> {
  const dataDir = givenDataDir ?? temporaryFolder();
  const shared = givenDataDir === undefined ? sharedErasureLog(env) : {};
  for (let attempt = 1; ; attempt++) {
    const port = givenPort ?? (await freePort());
    const limits = rateLimits === 'none' ? NO_RATE_LIMITS : {};
    const data = { DATA_DIR: dataDir, READER: readsDocuments ? 'on' : 'off', ...shared, ...limits, ...env };
    const [executable = process.execPath, ...args] = [...launcher, ...command, 'serve', ...flags];
    const running = start(executable, args, { env: { ...data, PORT: String(port) } });
    const origin = `http://${HOST}:${port}`;
    const ended = await readyOrEnded(running, origin);
    if (ended === undefined) return serverProcess(running, { port, origin, dataDir, env: data });
    // Another program can take the port before the server listens.
    if (attempt === 5 || !/PORT is .*(?:listens|the port of the API)/.test(ended.stderr)) {
      throw new Error(`the server did not start (${ended.code ?? ended.signal}):\n${ended.stdout}${ended.stderr}`);
    }
  }
}

const erasureLogs = new Map<string, string>();

/** Returns a place outside their data directories for the erasure log of all servers on one Postgres database. */
function sharedErasureLog({ DATABASE_URL: database }: Environment): Environment {
  if (database === undefined || database.startsWith('file:')) return {};
  const { pathname } = new URL(database);
  const folder = erasureLogs.get(pathname) ?? temporaryFolder();
  erasureLogs.set(pathname, folder);
  return { ERASURE_LOG_URL: `file:${folder}` };
}

function serverProcess(
  running: Running,
  place: Pick<ServerProcess, 'port' | 'origin' | 'dataDir' | 'env'>,
): ServerProcess {
  async function stop(): Promise<Finished> {
    running.signal('SIGTERM');
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      running.signal('SIGKILL');
    }, STOPS_WITHIN_MS);
    const finished = await running.finished;
    clearTimeout(limit);
    if (!isLate) return finished;
    throw new Error(`the server did not stop within ${STOPS_WITHIN_MS} ms:\n${running.output()}`);
  }

  function kill(): Promise<Finished> {
    running.signal('SIGKILL');
    return running.finished;
  }

  return {
    ...running,
    ...place,
    host: HOST,
    baseUrl: `${place.origin}/api/v1`,
    databaseFile: join(place.dataDir, 'countersign.db'),
    stop,
    kill,
  };
}

async function readyOrEnded(running: Running, origin: string): Promise<Finished | undefined> {
  const deadline = performance.now() + READY_WITHIN_MS;
  let ended: Finished | undefined;
  const watching = running.finished.then((finished) => {
    ended = finished;
  });
  while (ended === undefined) {
    // Until then another program that took the port first can answer, and each refused connection takes a millisecond.
    if (LISTENS.test(running.output())) {
      const isReady = await answersReady(origin);
      if (isReady && ended === undefined) return undefined;
    }
    if (performance.now() > deadline) {
      running.signal('SIGKILL');
      throw new Error(`the server was not ready within ${READY_WITHIN_MS} ms:\n${running.output()}`);
    }
    await Promise.race([pause(20), watching]);
  }
  return ended;
}

/** Without a limit, a program that took the port and never answers would hold the test until its own timeout. */
async function answersReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
