import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RateLimitDecision } from '@countersign/domain';
import { errorAnswer } from '@countersign/http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import type { FaultContext, RequestLine } from '../logging/log.ts';
import type { PeerAddress } from './peer-address.ts';
import type { SiteEnv } from './site-env.ts';

export interface RequestListenerOptions {
  readonly site: Hono<SiteEnv>;
  readonly peerAddress: PeerAddress;
  newRequestId(): string;
  countRequest(address: string): Promise<RateLimitDecision>;
  onResponse(line: RequestLine): void;
  onFault(fault: unknown, context: FaultContext): void;
}

/** Hands requests of node:http to the site, and refuses in the envelope what has no usable address or Host. */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { site, newRequestId, onFault } = options;

  const toSite = getRequestListener((request, env) => site.fetch(request, env), {
    errorHandler(error) {
      // It does not say which request it is about: without an answer, `refuse` gives one.
      if (error instanceof RequestError) return undefined;
      const requestId = newRequestId();
      onFault(error, { requestId });
      const { status, headers, body } = errorAnswer('INTERNAL_ERROR', { requestId });
      return new Response(body, { status, headers });
    },
  });

  async function refuse(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const rateLimit = await options.countRequest(options.peerAddress(incoming));
    const requestId = newRequestId();
    const { status, headers, body } = errorAnswer('BAD_REQUEST', { requestId, rateLimit });
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
    outgoing.end(incoming.method === 'HEAD' ? undefined : body);
    options.onResponse({
      requestId,
      method: incoming.method ?? '-',
      path: '*',
      status,
      durationMs: 0,
      code: 'BAD_REQUEST',
    });
  }

  return (incoming, outgoing) => {
    toSite(incoming, outgoing)
      .then(() => (outgoing.headersSent || outgoing.destroyed ? undefined : refuse(incoming, outgoing)))
      .catch((fault: unknown) => {
        onFault(fault, {});
        outgoing.destroy();
      });
  };
}
