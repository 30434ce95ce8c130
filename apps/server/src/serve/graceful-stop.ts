import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connections } from './connections.ts';

/** How long a stop waits, in milliseconds. */
export interface StopTimeouts {
  /** For requests that are being answered. */
  readonly running: number;
  /** For requests that have arrived only in part. */
  readonly arriving: number;
}

const STOP_TIMEOUTS: StopTimeouts = { running: 30_000, arriving: 5_000 };
/** How long a stop waits for the warnings of cases, in milliseconds. It begins once no request is being answered. */
export const WARNINGS_TIMEOUT_MS = 10_000;
const SWEEP_EVERY_MS = 50;

/**
 * Continues to serve for a while after `/readyz` has begun to answer 503, so that load balancers send their requests
 * elsewhere first. Each response closes its connection, so that no later request meets a closed one. Then accepts no new
 * connections; with 0 ms, it stops accepting before it returns the promise, so that the caller can announce the stop.
 */
export async function drainServer(server: Server, connections: Connections, forMs: number): Promise<void> {
  closeAfterResponses(server, connections);
  if (forMs > 0) await pause(forMs);
  server.close();
}

/**
 * Stops a server: accepts no new connections, closes idle ones and waits for running requests. Requests that outlast
 * the timeouts are cut off.
 * @returns `finished` is false when a request was cut off
 */
export async function stopServer(
  server: Server,
  connections: Connections,
  timeouts: StopTimeouts = STOP_TIMEOUTS,
): Promise<{ finished: boolean }> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  closeAfterResponses(server, connections);

  let finished = true;
  // Repeated, not done immediately: a request that has arrived but is not read yet would get a reset.
  const sweeping = setInterval(() => {
    server.closeIdleConnections();
    destroyUnused(connections);
  }, SWEEP_EVERY_MS);
  // After `close`, node:http no longer ends slow requests by itself.
  const arriving = setTimeout(() => destroyWithoutRequest(connections), timeouts.arriving);
  const running = setTimeout(() => {
    finished = false;
    server.closeAllConnections();
  }, timeouts.running);
  await closed;
  clearInterval(sweeping);
  clearTimeout(arriving);
  clearTimeout(running);
  return { finished };
}

/** Closes each connection after its next response. */
function closeAfterResponses(server: Server, connections: Connections): void {
  for (const { latest } of connections.values()) if (latest !== undefined) closeAfter(latest);
  server.prependListener('request', (_request, response) => closeAfter(response));
}

/** Closes the connection after a response; node:http announces it in the headers. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/** Closes connections without a request. Browsers open them in advance, and node:http does not count them as idle. */
function destroyUnused(connections: Connections): void {
  for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
}

function destroyWithoutRequest(connections: Connections): void {
  for (const [socket, { unfinished }] of connections) if (unfinished.length === 0) socket.destroy();
}
