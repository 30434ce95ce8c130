import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiListener, pathOfTarget } from '@countersign/http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { answerFault, refuse, type ServerResponseOptions } from './server-responses.ts';
import type { SiteEnv } from './site.ts';
import { isUpload } from './slow-requests.ts';
import { bodyOf } from './upload-body.ts';

/** Answers a request. Resolves when the response was passed to node:http; never rejects. */
export type AnswerRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

export interface RequestListenerOptions extends ServerResponseOptions {
  /** Answers everything at and below `apiPath`. */
  readonly api: ApiListener;
  readonly apiPath: string;
  /** Answers everything else. */
  readonly site: Hono<SiteEnv>;
}

/**
 * Passes requests of node:http to the API or to the site. Refuses a request without a valid URL or Host in the
 * envelope. The API bypasses the site, because Hono and its adapter cost a third of a request's time.
 */
export function createRequestListener(options: RequestListenerOptions): AnswerRequest {
  const { api, apiPath, site, onFault } = options;

  async function ask(request: Request, env: HttpBindings): Promise<Response> {
    try {
      return await site.fetch(isUpload(env.incoming) ? withOwnBody(request, env.incoming) : request, env);
    } catch (fault) {
      const answer = await answerFault(fault, env.incoming, options);
      return new Response(answer.body, answer);
    }
  }

  // A request that Hono's adapter cannot convert is left without an answer here; `refuseBadRequest` answers it.
  const toSite = getRequestListener((request, env) => ask(request, env as HttpBindings), {
    errorHandler: () => undefined,
    // Of a request of HTTP/1.0 without Host. Nothing is built from it: links begin with PUBLIC_BASE_URL.
    hostname: 'localhost',
  });

  async function refuseBadRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { status, headers, body } = await refuse('BAD_REQUEST', incoming, options);
    outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' });
    outgoing.end(incoming.method === 'HEAD' ? undefined : body);
  }

  const isForApi = ({ url = '' }: IncomingMessage): boolean => {
    const path = pathOfTarget(url);
    return path.startsWith(apiPath) && (path.length === apiPath.length || path[apiPath.length] === '/');
  };

  async function answerFromSite(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    await toSite(incoming, outgoing);
    if (!outgoing.headersSent && !outgoing.destroyed) await refuseBadRequest(incoming, outgoing);
  }

  function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!isSound(incoming)) return refuseBadRequest(incoming, outgoing);
    return isForApi(incoming) ? api(incoming, outgoing) : answerFromSite(incoming, outgoing);
  }

  /** Answers a fault that neither the API nor the site has answered. */
  async function answerLastFault(
    fault: unknown,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const { status, headers, body } = await answerFault(fault, incoming, options);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(status, { ...headers }).end(body);
  }

  return async (incoming, outgoing) => {
    try {
      await answer(incoming, outgoing);
    } catch (fault) {
      await answerLastFault(fault, incoming, outgoing).catch((second: unknown) => {
        onFault(second, {});
        outgoing.destroy();
      });
    }
  };
}

function withOwnBody({ url, method, headers, signal }: Request, incoming: IncomingMessage): Request {
  return new Request(url, { method, headers, signal, body: bodyOf(incoming), duplex: 'half' });
}

/** A host of RFC 3986, section 3.2.2: a name, an IPv4 address, or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Checks what node:http does not: it accepts any HTTP version and silently drops a second Host. Only HTTP/1.0, as in
 * health checks of HAProxy, may omit Host (RFC 9112, section 3.2).
 */
function isSound({ httpVersionMajor, httpVersionMinor, rawHeaders, headers }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1 || httpVersionMinor > 1) return false;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 0) return httpVersionMinor === 0;
  return hosts === 1 && HOST.test(headers.host as string);
}
