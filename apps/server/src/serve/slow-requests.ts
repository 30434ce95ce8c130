import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Connections } from './connections.ts';

/** How long a request's body may take to arrive, in milliseconds after its headers. */
const BODY_TIMEOUT_MS = 10_000;
/** How long an upload may take to arrive: 25 MB over 700 kbit/s. Pages with scripts send 2 to 3 MB. */
export const UPLOAD_TIMEOUT_MS = 300_000;

const CHECK_EVERY_MS = 1_000;

/**
 * Ends requests whose bodies take too long. `requestTimeout` of node:http has one limit for all requests; this has a
 * longer one for uploads. Checks the connections once a second, because a timer for each request would cost more.
 */
export function endSlowRequests(
  server: Server,
  connections: Connections,
  isUpload: (incoming: IncomingMessage) => boolean,
): void {
  const seenAt = new WeakMap<ServerResponse, number>();

  function check(): void {
    const now = performance.now();
    for (const [socket, { latest }] of connections) {
      if (latest === undefined || latest.req.complete || latest.closed) continue;
      const since = seenAt.get(latest) ?? now;
      seenAt.set(latest, since);
      if (now - since < (isUpload(latest.req) ? UPLOAD_TIMEOUT_MS : BODY_TIMEOUT_MS)) continue;
      const error = new Error('The request took too long to arrive');
      server.emit('clientError', Object.assign(error, { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    }
  }

  const timer = setInterval(check, CHECK_EVERY_MS).unref();
  server.once('close', () => clearInterval(timer));
}

/** Returns whether a request uploads a file of a verification, or a logo. */
export function isUpload({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    (url.startsWith('/verify/') || url.startsWith('/dashboard/face/')) &&
    headers['content-type']?.startsWith('multipart/form-data') === true
  );
}
