import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type Connections, trackConnections } from './connections.ts';
import { answerProtocolErrors, type ProtocolErrorOptions } from './protocol-errors.ts';
import { endSlowRequests, UPLOAD_PATIENCE_MS } from './slow-requests.ts';

export interface NodeServerOptions extends Omit<ProtocolErrorOptions, 'connections'> {
  /** Answers every request that arrives whole enough to be one. */
  readonly listener: RequestListener;
  /** Whether a request may take as long as a picture needs over a slow line. */
  isUpload?(incoming: IncomingMessage): boolean;
}

/** Times in milliseconds, sizes in bytes (DESIGN section 4; issue: hardening of node:http). */
const LIMITS = {
  headersTimeout: 5_000,
  // The longest that any request may take; `endSlowRequests` has the shorter times.
  requestTimeout: UPLOAD_PATIENCE_MS,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // Longer than the 60 s of usual proxies: whoever sends the next request should be the one who closes.
  keepAliveTimeout: 65_000,
  // A missing Host is refused by the listener, in the envelope.
  requireHostHeader: false,
};

/** After this time without a byte in either direction, as from a client that does not read its answer. */
const SILENCE_MS = 30_000;

/** A server that no slow or broken client can hold for long, and that answers even those in the envelope. */
export function createNodeServer(options: NodeServerOptions): { server: Server; connections: Connections } {
  const { isUpload = () => false } = options;
  const server = createServer(LIMITS);
  server.timeout = SILENCE_MS;
  const connections = trackConnections(server);
  answerProtocolErrors(server, { ...options, connections });
  endSlowRequests(server, connections, isUpload);
  server.on('request', (incoming, outgoing) => {
    // It may have to wait until pictures that came before it are judged.
    if (isUpload(incoming)) incoming.setTimeout(UPLOAD_PATIENCE_MS);
    if (connections.get(incoming.socket)?.isEnding !== true) options.listener(incoming, outgoing);
  });
  return { server, connections };
}
