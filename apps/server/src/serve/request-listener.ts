import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RateLimitDecision } from '@countersign/domain';
import { type ApiListener, errorResponse, pathOfTarget } from '@countersign/http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { FaultContext, RequestLine } from '../logging/log.ts';
import { answerFault } from './fault-answer.ts';
import type { PeerAddress } from './peer-address.ts';
import type { SiteEnv } from './site.ts';

export interface RequestListenerOptions {
  /** Answers everything at and below `apiPath`. */
  readonly api: ApiListener;
  readonly apiPath: string;
  /** Answers everything else. */
  readonly site: Hono<SiteEnv>;
  readonly peerAddress: PeerAddress;
  newRequestId(): string;
  countRequest(address: string): Promise<RateLimitDecision>;
  onResponse(line: RequestLine): void;
  onFault(fault: unknown, context: FaultContext): void;
}

/**
 * Passes requests of node:http to the API or to the site. Refuses a request without a valid URL or Host in the
 * envelope. The API bypasses the site, because Hono and its adapter cost a third of a request's time.
 */
export function createRequestListener(options: RequestListenerOptions): RequestListener {
  const { api, apiPath, site, newRequestId, onFault } = options;

  function ask(request: Request, env: HttpBindings): Response | Promise<Response> {
    const answerSiteFault = (fault: unknown) => answerFault(fault, env.incoming, options);
    try {
      const answer = site.fetch(request, env);
      return answer instanceof Promise ? answer.catch(answerSiteFault) : answer;
    } catch (fault) {
      return answerSiteFault(fault);
    }
  }

  // A request that Hono's adapter cannot convert is left without an answer here; `refuse` answers it.
  const toSite = getRequestListener((request, env) => ask(request, env as HttpBindings), {
    errorHandler: () => undefined,
  });

  async function refuse(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const rateLimit = await options.countRequest(options.peerAddress(incoming));
    const requestId = newRequestId();
    const { status, headers, body } = errorResponse('BAD_REQUEST', { requestId, rateLimit });
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

  const isForApi = ({ url = '' }: IncomingMessage): boolean => {
    const path = pathOfTarget(url);
    return path.startsWith(apiPath) && (path.length === apiPath.length || path[apiPath.length] === '/');
  };

  async function answerFromSite(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await toSite(incoming, outgoing);
    if (!outgoing.headersSent && !outgoing.destroyed) await refuse(incoming, outgoing);
  }

  function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!isSound(incoming)) return refuse(incoming, outgoing);
    return isForApi(incoming) ? api(incoming, outgoing) : answerFromSite(incoming, outgoing);
  }

  /** Answers a fault that neither the API nor the site has answered. */
  async function answerLastFault(
    fault: unknown,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const response = await answerFault(fault, incoming, options);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  }

  return (incoming, outgoing) => {
    answer(incoming, outgoing)
      .catch((fault: unknown) => answerLastFault(fault, incoming, outgoing))
      .catch((fault: unknown) => {
        onFault(fault, {});
        outgoing.destroy();
      });
  };
}

/** A host of RFC 3986, section 3.2.2: a name, an IPv4 address, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** Checks what node:http does not: it accepts any HTTP version and silently drops a second Host (RFC 9112, section 3.2). */
function isSound({ httpVersionMajor, httpVersionMinor, rawHeaders, headers }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1 || httpVersionMinor > 1) return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 && HOST.test(headers.host as string);
}
