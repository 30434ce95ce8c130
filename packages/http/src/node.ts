import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Countersign } from '@countersign/domain';
import type { ApiListenerOptions } from './api-options.ts';
import { discardRest } from './discard-rest.ts';
import { createAnswerer, type WholeAnswer } from './handle.ts';
import { requestOfIncoming } from './incoming-request.ts';

/** Resolves when the answer was handed to node:http. Rejects only where one of the options throws. */
export type ApiListener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/**
 * The HTTP interface for node:http: the same answers as those of `createApi`, in two thirds of the time. It answers
 * whatever it is given; a path that does not begin with `mountPath` is an unknown one.
 *
 * @example
 * const api = createApiListener(countersign, { mountPath: '/api/v1', clientAddress, newRequestId, onFault });
 * createServer((incoming, outgoing) => void api(incoming, outgoing)).listen(8080);
 */
export function createApiListener(countersign: Countersign, options: ApiListenerOptions): ApiListener {
  const answerTo = createAnswerer(countersign, options);

  return async (incoming, outgoing) =>
    send(await answerTo(requestOfIncoming(incoming, options)), incoming, outgoing);
}

function send({ status, headers, body }: WholeAnswer, incoming: IncomingMessage, outgoing: ServerResponse): void {
  // What is behind the request on this connection is not answered any more (RFC 9112, section 9.6).
  if (headers.Connection === 'close') outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, listOf(headers, 'Content-Length', String(Buffer.byteLength(body))));
  if (incoming.complete || incoming.destroyed) {
    outgoing.end(body);
    return;
  }
  outgoing.write(body);
  discardRest(incoming, () => outgoing.end());
}

/** Names and values in turns: node:http reads an object into such a list first. */
function listOf(headers: Readonly<Record<string, string>>, ...list: string[]): string[] {
  for (const name in headers) list.push(name, headers[name] as string);
  return list;
}
