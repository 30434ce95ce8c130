import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Connections } from './connections.ts';

/** How long a request may take to arrive whole, in milliseconds from its headers on. */
const PATIENCE_MS = 10_000;
/** The same for what holds a picture: 10 MB over 280 kbit/s. */
export const UPLOAD_PATIENCE_MS = 300_000;

const LOOK_EVERY_MS = 1_000;

/**
 * Ends requests whose bodies take too long, as node:http would with one `requestTimeout` for all. It looks at the open
 * connections once a second: a timer for each request would cost every one of them.
 */
export function endSlowRequests(
  server: Server,
  connections: Connections,
  isUpload: (incoming: IncomingMessage) => boolean,
): void {
  const seenAt = new WeakMap<ServerResponse, number>();

  function look(): void {
    const now = performance.now();
    for (const [socket, { latest }] of connections) {
      if (latest === undefined || latest.req.complete || latest.closed) continue;
      const since = seenAt.get(latest) ?? now;
      seenAt.set(latest, since);
      if (now - since < (isUpload(latest.req) ? UPLOAD_PATIENCE_MS : PATIENCE_MS)) continue;
      const error = new Error('The request took too long to arrive');
      server.emit('clientError', Object.assign(error, { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    }
  }

  const looking = setInterval(look, LOOK_EVERY_MS).unref();
  server.once('close', () => clearInterval(looking));
}

/** Whether a request brings a file of a verification, which may take its time. */
export function isUpload({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url.startsWith('/verify/') &&
    headers['content-type']?.startsWith('multipart/form-data') === true
  );
}
