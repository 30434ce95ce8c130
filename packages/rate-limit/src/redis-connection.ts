import type { Redis } from 'ioredis';
import { redisDriver } from './drivers.ts';
import { storeFault } from './shared-rate-limiter.ts';

export interface RedisConnection {
  readonly client: Redis;
  /** Runs a command. Rejects at once while there is no connection, with a message of one line. */
  run<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const CONNECT_WITHIN_MS = 1_000;
const DISCONNECT_WITHIN_MS = 500;
const LONGEST_BACK_OFF_MS = 500;
/** Closes a connection after this long without an answer: the other end may be gone. */
const SILENT_FOR_MS = 3_000;

/**
 * A connection that is opened immediately and reopened whenever it ends. It uses ioredis and not node-redis, because
 * rate-limiter-flexible sends node-redis the whole script with each request, and ioredis only its digest.
 */
export function connectRedis(url: string, deadlineMs: number): RedisConnection {
  if (!/^rediss?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new TypeError('the URL of Redis must begin with redis:// or rediss://');
  }
  const client = new (redisDriver())(url, {
    // Refuses commands at once while there is no connection, and never repeats a command.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: deadlineMs,
    connectTimeout: CONNECT_WITHIN_MS,
    socketTimeout: SILENT_FOR_MS,
    disconnectTimeout: DISCONNECT_WITHIN_MS,
    retryStrategy: (attempt) => Math.min(50 * attempt, LONGEST_BACK_OFF_MS),
  });

  let fault: Error | undefined;
  // Also keeps an `error` event from ending the process.
  client.on('error', (error) => (fault = error));
  client.on('ready', () => (fault = undefined));
  // Otherwise the error would name an option of ioredis instead of the reason.
  client.on('close', () => (fault ??= new Error('the connection was lost')));
  let begun = false;
  // Calls during the first connection attempt wait for its outcome.
  const first = new Promise<void>((resolve) => {
    const settle = () => {
      begun = true;
      resolve();
    };
    for (const event of ['ready', 'error', 'end']) client.once(event, settle);
  });

  return {
    client,
    async run(work) {
      if (!begun) await first;
      try {
        return await work();
      } catch (error) {
        // The reason why the connection failed says more than the failed command.
        throw storeFault('Redis', (client.status === 'ready' ? undefined : fault) ?? error);
      }
    },
    async close() {
      const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
      // Between two attempts there is no connection to close.
      const idle = ['end', 'reconnecting'].includes(client.status);
      client.disconnect();
      if (!idle) await ended;
    },
  };
}
