import type { Server, ServerResponse } from 'node:http';
import type { Connections } from './connections.ts';

/** How long is waited, in milliseconds. */
export interface Patience {
  /** For requests that are being answered. */
  readonly running: number;
  /** For requests of which only a part has arrived. */
  readonly arriving: number;
}

const PATIENCE: Patience = { running: 30_000, arriving: 5_000 };
const LOOK_EVERY_MS = 50;

/**
 * Takes no new connections, closes the idle ones, lets running requests finish, and then resolves. What is still
 * running when patience ends is cut off.
 */
export async function stopServer(
  server: Server,
  connections: Connections,
  patience: Patience = PATIENCE,
): Promise<{ finished: boolean }> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const { latest } of connections.values()) if (latest !== undefined) closeAfter(latest);
  server.prependListener('request', (_request, response) => closeAfter(response));

  let finished = true;
  // Not at once: what has arrived by now may not have been read yet, and would be answered with a reset.
  const looking = setInterval(() => {
    server.closeIdleConnections();
    destroyUnused(connections);
  }, LOOK_EVERY_MS);
  // From `close` on, node:http no longer watches over slow requests by itself.
  const arriving = setTimeout(() => destroyQuiet(connections), patience.arriving);
  const running = setTimeout(() => {
    finished = false;
    server.closeAllConnections();
  }, patience.running);
  await closed;
  clearInterval(looking);
  clearTimeout(arriving);
  clearTimeout(running);
  return { finished };
}

/** node:http then says so in the headers. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}

/** Browsers open connections ahead of need; node:http does not count them as idle. */
function destroyUnused(connections: Connections): void {
  for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
}

function destroyQuiet(connections: Connections): void {
  for (const [socket, { underWay }] of connections) if (underWay.length === 0) socket.destroy();
}
