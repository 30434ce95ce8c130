import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { atEndOfFile } from '../processes/end-of-file.ts';
import type { ServerProcess } from '../processes/server-process.ts';

type Target = Pick<ServerProcess, 'host' | 'port'>;

/**
 * A load balancer as operators run it: asks each instance for `/readyz`, sends requests to ready ones, and keeps
 * connections to them. A request waits while none is ready. Sends a request to another instance when that does no harm: when no connection was made, or when
 * the request can be repeated (a read, or a creation with an `Idempotency-Key`).
 */
export interface ReadyBalancer {
  readonly origin: string;
  add(instance: Target): void;
  remove(instance: Target): void;
  /** How many requests were sent to another instance, by the error of the first. */
  readonly retried: ReadonlyMap<string, number>;
}

interface Instance extends Target {
  readonly agent: Agent;
  isReady: boolean;
}

const CHECK_EVERY_MS = 100;
const CHECK_WITHIN_MS = 2_000;
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const running: Server[] = [];

atEndOfFile(() => {
  for (const server of running.splice(0)) server.close().closeAllConnections();
});

export async function startReadyBalancer(): Promise<ReadyBalancer> {
  const instances = new Map<number, Instance>();
  const retried = new Map<string, number>();
  let turn = 0;

  async function keepChecking(instance: Instance): Promise<void> {
    while (instances.get(instance.port) === instance) {
      instance.isReady = await isReady(instance, instance.isReady);
      await pause(CHECK_EVERY_MS);
    }
  }

  /** Chooses the next ready instance, if possible another one than before. */
  function choose(before: Instance | undefined): Instance | undefined {
    const ready = [...instances.values()].filter((instance) => instance.isReady);
    const others = ready.filter((instance) => instance !== before);
    const among = others.length > 0 ? others : ready;
    return among[turn++ % among.length];
  }

  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    let before: Instance | undefined;
    for (;;) {
      const instance = choose(before);
      if (instance === undefined) {
        await pause(CHECK_EVERY_MS);
        continue;
      }
      try {
        const response = await forward(instance, incoming, body);
        answer.writeHead(response.statusCode ?? 502, withoutConnection(response.headers));
        response.on('error', () => answer.destroy()).pipe(answer);
        return;
      } catch (fault) {
        const { code = 'unknown' } = fault as NodeJS.ErrnoException;
        instance.isReady &&= code !== 'ECONNREFUSED';
        if (code !== 'ECONNREFUSED' && !isRepeatable(incoming)) return void answer.writeHead(502).end(code);
        retried.set(code, (retried.get(code) ?? 0) + 1);
        before = instance;
      }
    }
  }

  const server = createServer((incoming, answer) => {
    handle(incoming, answer).catch(() => answer.destroy());
  });
  // Clients close their idle connections. Closing them here would meet requests on a busy machine.
  server.keepAliveTimeout = 0;
  running.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    origin: `http://localhost:${port}`,
    retried,
    add({ host, port: at }) {
      const instance = { host, port: at, agent: new Agent({ keepAlive: true }), isReady: true };
      instances.set(at, instance);
      void keepChecking(instance);
    },
    remove({ port: at }) {
      instances.get(at)?.agent.destroy();
      instances.delete(at);
    },
  };
}

/** Asks for `/readyz`. A late answer changes nothing: on a busy machine it does not mean that the instance stops. */
async function isReady({ host, port }: Target, before: boolean): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(CHECK_WITHIN_MS);
    const response = await fetch(`http://${host}:${port}/readyz`, { signal });
    await response.arrayBuffer();
    return response.ok;
  } catch (fault) {
    return before && fault instanceof DOMException && fault.name === 'TimeoutError';
  }
}

/** Resolves to the response when its headers have arrived. */
function forward(
  { host, port, agent }: Instance,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const { method, url: path, headers } = incoming;
  return new Promise((resolve, reject) => {
    request({ host, port, agent, method, path, headers: withoutConnection(headers) }, resolve)
      .on('error', reject)
      .end(body);
  });
}

const isRepeatable = ({ method = '', headers }: IncomingMessage) =>
  SAFE_METHODS.has(method) || headers['idempotency-key'] !== undefined;

/** Removes the headers that belong to one connection. */
function withoutConnection<T extends IncomingMessage['headers']>(headers: T): T {
  const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = headers;
  return kept as T;
}
