import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorResponse, protocolErrorCode } from '@countersign/http';
import type { Connection, Connections } from './connections.ts';
import type { ServerResponseOptions } from './server-responses.ts';

export interface ProtocolErrorOptions
  extends Pick<ServerResponseOptions, 'newRequestId' | 'countRequest' | 'onResponse'> {
  readonly connections: Connections;
}

/** How long a refused connection stays open to receive the rest of its request, so that no reset discards the answer. */
const LINGER_MS = 1_000;

/**
 * Answers input that node:http cannot parse as a request in the envelope. There is no response object for it, so the
 * answer is written to the connection, which is then closed.
 */
export function answerProtocolErrors(server: Server, options: ProtocolErrorOptions): void {
  const { connections } = options;
  const refused = new WeakSet<Duplex>();

  async function refuse(socket: Socket, nodeErrorCode: string | undefined): Promise<void> {
    const rateLimit = await options.countRequest(socket.remoteAddress ?? 'unknown');
    if (!socket.writable || !isFree(connections.get(socket))) {
      socket.destroy();
      return;
    }
    const requestId = options.newRequestId();
    const code = protocolErrorCode(nodeErrorCode);
    const answer = errorResponse(code, { requestId, rateLimit });
    socket.end(httpText(answer));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    options.onResponse({ requestId, method: '-', path: '-', status: answer.status, durationMs: 0, code });
  }

  function receive(socket: Socket, nodeErrorCode: string | undefined): void {
    // node:http reports every further chunk of a broken request again.
    if (refused.has(socket)) return;
    refused.add(socket);
    const connection = connections.get(socket);
    if (nodeErrorCode === 'ECONNRESET') socket.destroy();
    else if (isFree(connection)) refuse(socket, nodeErrorCode).catch(() => socket.destroy());
    else destroyAfterAnswers(socket, connection);
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => receive(socket as Socket, error.code));
  // node:http alone would answer these two with an empty body, or not at all.
  server.on('connect', (_request, socket) => receive(socket as Socket, undefined));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/**
 * Returns whether an answer can be written: between two exchanges, or after an incomplete request without an answer.
 * At any other time it would become part of another answer.
 */
function isFree(connection: Connection | undefined): boolean {
  if (connection?.latest === undefined) return true;
  const { latest, unfinished } = connection;
  return latest.req.complete ? unfinished.length === 0 : unfinished.length === 1 && !latest.headersSent;
}

/** Closes the connection after the answers to complete requests. */
function destroyAfterAnswers(socket: Socket, connection: Connection | undefined): void {
  const last = connection?.unfinished.findLast(({ req }) => req.complete);
  if (last === undefined) socket.destroy();
  else last.once('close', () => socket.destroy());
}

function httpText({ status, headers, body }: ReturnType<typeof errorResponse>): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
