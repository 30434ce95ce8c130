import { chownSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onAFreePort } from './on-a-free-port.ts';
import { programOnPath } from './program-on-path.ts';
import { makeServerFolder, user } from './server-folder.ts';
import { type ServerProcess, startProcess } from './server-process.ts';
import { watch } from './watchdog.ts';

export interface S3Server {
  /** The URL of its API. Buckets are in the path. */
  readonly endpoint: string;
  /** The settings of the SDK for its only user. */
  readonly env: {
    readonly AWS_ACCESS_KEY_ID: string;
    readonly AWS_SECRET_ACCESS_KEY: string;
    readonly AWS_REGION: string;
  };
  /** Its objects as files, `bucket/key`. */
  readonly folder: string;
  /** Creates a bucket. @returns its name */
  createBucket(name?: string): string;
  /** Deletes a bucket with everything in it. */
  deleteBucket(name: string): void;
  /** Kills it (SIGKILL). Its objects stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Ends it and deletes its objects. */
  stop(): Promise<void>;
}

const REGION = 'eu-central-1';

/** Starts versitygw, a server of the S3 API that stores objects in a folder. It ends with this process at the latest. */
export async function startS3(): Promise<S3Server> {
  const command = programOnPath('versitygw');
  if (command === undefined) throw new Error('versitygw is not on the PATH');
  const folder = makeServerFolder();
  const buckets = join(folder, 'buckets');
  const versions = join(folder, 'versions');
  for (const made of [buckets, versions]) mkdir(made);
  const watchdog = watch('TERM', folder);
  const remove = () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    watchdog.release();
  };
  const env = { AWS_ACCESS_KEY_ID: 'test-user', AWS_SECRET_ACCESS_KEY: 'test-secret', AWS_REGION: REGION };
  const launch = (port: number): Promise<ServerProcess> =>
    startProcess(
      {
        command,
        args: ['--port', `127.0.0.1:${port}`, '--region', REGION, 'posix', '--versioning-dir', versions, buckets],
        ready: /listening on/,
        env: { ROOT_ACCESS_KEY: env.AWS_ACCESS_KEY_ID, ROOT_SECRET_KEY: env.AWS_SECRET_ACCESS_KEY },
      },
      folder,
    );
  let port = 0;
  let running: ServerProcess;
  try {
    running = await onAFreePort((free) => {
      port = free;
      return launch(free);
    });
  } catch (error) {
    remove();
    throw error;
  }
  let count = 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    env,
    folder: buckets,
    createBucket(name = `bucket-${++count}`) {
      mkdir(join(buckets, name));
      return name;
    },
    deleteBucket: (name) => rmSync(join(buckets, name), { recursive: true, force: true, maxRetries: 3 }),
    kill: () => running.end('SIGKILL'),
    async start() {
      running = await launch(port);
    },
    async stop() {
      await running.end('SIGKILL');
      remove();
    },
  };
}

/** Makes a folder of the user of the servers. */
function mkdir(folder: string): void {
  mkdirSync(folder);
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
}
