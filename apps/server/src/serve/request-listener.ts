import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RateLimitDecision } from '@countersign/domain';
import { errorAnswer } from '@countersign/http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { FaultContext, RequestLine } from '../logging/log.ts';
import { answerFault } from './fault-answer.ts';
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

  function ask(request: Request, env: HttpBindings): Response | Promise<Response> {
    const apologize = (fault: unknown) => answerFault(fault, env.incoming, options);
    try {
      const answer = site.fetch(request, env);
      return answer instanceof Promise ? answer.catch(apologize) : answer;
    } catch (fault) {
      return apologize(fault);
    }
  }

  // What remains are requests that could not be made of the incoming ones: without an answer, `refuse` gives one.
  const toSite = getRequestListener((request, env) => ask(request, env as HttpBindings), {
    errorHandler: () => undefined,
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
    const answered = isSound(incoming) ? toSite(incoming, outgoing) : Promise.resolve();
    answered
      .then(() => (outgoing.headersSent || outgoing.destroyed ? undefined : refuse(incoming, outgoing)))
      .catch((fault: unknown) => {
        onFault(fault, {});
        outgoing.destroy();
      });
  };
}

/** node:http takes any version that it can read, and drops a second Host without a word (RFC 9112, section 3.2). */
function isSound({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1 || httpVersionMinor > 1) return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts < 2;
}
