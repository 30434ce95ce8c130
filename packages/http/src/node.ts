import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Countersign } from '@countersign/domain';
import { BodyChunks, bodyIncomplete } from './body.ts';
import { createHandle, type HandleOptions } from './handle.ts';
import { type ApiResponse, isDownload, type RequestContext, type WholeResponse } from './request-context.ts';
import { pathOfTarget } from './request-target.ts';

/** Options of the API on node:http. */
export interface ApiListenerOptions extends HandleOptions {
  /** Returns the network address of the client, as the trusted proxies report it. */
  readonly clientAddress: (incoming: IncomingMessage) => string;
  /** The beginning of the API's paths, without a slash at its end: `/api/v1`; default: empty. */
  readonly mountPath?: string | undefined;
}

/** Resolves when the response was passed to node:http, or broke off. Rejects only if one of the options throws. */
export type ApiListener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/**
 * Binds the API to node:http. It gives the same responses as `createApi` in about two thirds of the time. A path that
 * does not begin with `mountPath` is answered as an unknown path.
 *
 * @param countersign the domain with its ports, from `createCountersign`
 *
 * @example
 * const api = createApiListener(countersign, {
 *   mountPath: '/api/v1',
 *   clientAddress: ({ socket }) => socket.remoteAddress ?? '',
 *   newRequestId: () => crypto.randomUUID(),
 *   onFault: (fault, request) => console.error(request, fault),
 * });
 * createServer((incoming, outgoing) => void api(incoming, outgoing)).listen(8080);
 */
export function createApiListener(countersign: Countersign, options: ApiListenerOptions): ApiListener {
  const handle = createHandle(countersign, options);
  return async (incoming, outgoing) => send(await handle(requestContext(incoming, options)), incoming, outgoing);
}

function requestContext(
  incoming: IncomingMessage,
  { mountPath = '', clientAddress }: Pick<ApiListenerOptions, 'mountPath' | 'clientAddress'>,
): RequestContext {
  const { method = '', url = '' } = incoming;
  return {
    method,
    url,
    path: pathOfTarget(url),
    mountPath,
    clientAddress: () => clientAddress(incoming),
    header: (name) => headerOf(incoming, name),
    body: () => readBody(incoming),
  };
}

/** Joins all values of a header, as `fetch` does: node:http keeps only the first of several content types. */
function headerOf(incoming: IncomingMessage, name: string): string | undefined {
  if (name === 'content-type' && isRepeated(name, incoming.rawHeaders)) {
    return incoming.headersDistinct[name]?.join(', ');
  }
  // Only Set-Cookie is an array, and it is not a request header.
  return incoming.headers[name] as string | undefined;
}

/** Whether a list of names and values in turn has the header more than once. */
function isRepeated(header: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === header.length && name.toLowerCase() === header) count += 1;
  }
  return count > 1;
}

function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks = new BodyChunks();

    function onData(chunk: Buffer): void {
      try {
        chunks.add(chunk);
      } catch (error) {
        incoming.off('data', onData);
        reject(error instanceof Error ? error : new TypeError(String(error)));
      }
    }

    incoming.on('data', onData);
    incoming.on('end', () => resolve(chunks.bytes()));
    incoming.on('error', () => reject(bodyIncomplete()));
    incoming.on('close', () => {
      if (!incoming.readableEnded) reject(bodyIncomplete());
    });
  });
}

async function send(
  { status, headers, body }: ApiResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  // Further requests on this connection are not answered (RFC 9112, section 9.6).
  if (headers.Connection === 'close') outgoing.shouldKeepAlive = false;
  if (isDownload(body)) {
    // Not held back until the first file is read.
    outgoing.writeHead(status, headerList(headers)).flushHeaders();
    await sendParts(body, incoming, outgoing);
  } else {
    outgoing.writeHead(status, ['Content-Length', String(Buffer.byteLength(body)), ...headerList(headers)]);
    end(incoming, outgoing, body);
  }
}

/** Sends each part before it asks for the next one. Closes the connection if a part fails, and asks for none once the caller has left. */
async function sendParts(
  parts: AsyncGenerator<Uint8Array>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    if (incoming.method !== 'HEAD') await pipeline(parts, outgoing, { end: false });
    end(incoming, outgoing);
  } catch {
    // The parts reported a fault of their own.
    outgoing.destroy();
  } finally {
    await parts.return(undefined);
  }
}

function end(incoming: IncomingMessage, outgoing: ServerResponse, body: WholeResponse['body'] = ''): void {
  if (incoming.complete || incoming.destroyed) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body);
  discardRest(incoming, () => outgoing.end());
}

/** Names and values in turn: node:http converts an object to such a list first. */
function headerList(headers: ApiResponse['headers']): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  return list;
}

/** How long the rest of an unread body is received. */
const DISCARD_MS = 500;

/**
 * Receives and drops the rest of a body that was already answered: a connection that is closed with unread bytes is
 * reset, and the client may lose the response. Destroys the connection if this takes too long. Then calls `done`.
 */
function discardRest(incoming: IncomingMessage, done: () => void): void {
  const timer = setTimeout(() => incoming.socket.destroySoon(), DISCARD_MS);
  incoming.once('close', () => {
    clearTimeout(timer);
    done();
  });
  // The request was answered; `close` follows.
  incoming.on('error', () => undefined);
  incoming.resume();
}
