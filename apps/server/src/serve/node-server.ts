import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Connections, trackConnections } from './connections.ts';
import { answerProtocolErrors, type ProtocolErrorOptions } from './protocol-errors.ts';
import type { AnswerRequest } from './request-listener.ts';
import { endSlowReaders } from './slow-readers.ts';
import { endSlowRequests, UPLOAD_TIMEOUT_MS } from './slow-requests.ts';

export interface NodeServerOptions extends Omit<ProtocolErrorOptions, 'connections'> {
  /** Answers every request that node:http can parse. */
  readonly listener: AnswerRequest;
  /** Whether a request has the longer limits of an upload. Default: no request. */
  isUpload?(incoming: IncomingMessage): boolean;
}

/** Times in milliseconds, sizes in bytes. */
const LIMITS = {
  headersTimeout: 5_000,
  // The longest time for any request. `endSlowRequests` sets shorter ones.
  requestTimeout: UPLOAD_TIMEOUT_MS,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // Longer than the 60 s of common proxies, so that the proxy closes first and no request meets a closed connection.
  keepAliveTimeout: 65_000,
  // The listener refuses a missing Host in the envelope, from HTTP/1.1 on.
  requireHostHeader: false,
};

/** Time without a byte in either direction after which a connection is closed. */
const SILENCE_MS = 30_000;

/** Creates a server that ends slow and broken requests, answers them in the envelope, and closes connections of slow readers. */
export function createNodeServer(options: NodeServerOptions): { server: Server; connections: Connections } {
  const { isUpload = () => false } = options;
  const server = createServer(LIMITS);
  server.timeout = SILENCE_MS;
  const connections = trackConnections(server);
  answerProtocolErrors(server, { ...options, connections });
  endSlowReaders(server, connections);
  endSlowRequests(server, connections, isUpload);
  server.on('request', (incoming, outgoing) => {
    // It may wait while earlier uploads are checked.
    if (isUpload(incoming)) incoming.setTimeout(UPLOAD_TIMEOUT_MS);
    const connection = connections.get(incoming.socket);
    if (connection === undefined) void options.listener(incoming, outgoing);
    else if (!connection.isEnding) {
      void options.listener(incoming, outgoing).then(() => connection.release(outgoing));
    }
  });
  return { server, connections };
}
