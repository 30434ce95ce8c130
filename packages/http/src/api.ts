import type { Countersign } from '@countersign/domain';
import { type Context, Hono } from 'hono';
import { type Answer, answerToError } from './answer.ts';
import type { ApiOptions } from './api-options.ts';
import { type Exchange, requestEntry, responseEntry } from './exchange.ts';
import { createResponder } from './responder.ts';
import { responseHeaders } from './response-headers.ts';

/**
 * The HTTP interface. It answers everything below its mount point, in the envelope and with the headers of the
 * interface, whatever happens.
 *
 * Mount it with `app.route`, not `app.mount`. Whatever else of the outer app matches the same paths, such as an
 * `app.use('*')`, costs each request about a twentieth of its time.
 *
 * @example
 * const api = createApi(countersign, { clientAddress, newRequestId, onFault });
 * const app = new Hono().route('/api/v1', api);
 */
export function createApi(countersign: Countersign, options: ApiOptions): Hono {
  const { newRequestId, onFault, onResponse } = options;
  const respond = createResponder(countersign, options);

  async function handle(context: Context): Promise<Response> {
    const startedAt = performance.now();
    const exchange: Exchange = { requestId: newRequestId(), method: context.req.method, path: '*' };
    let answer: Answer;
    try {
      answer = await respond(context, exchange);
    } catch (error) {
      answer = answerToError(error, (fault) => onFault(fault, requestEntry(exchange)));
    }
    onResponse?.(responseEntry(exchange, answer, performance.now() - startedAt));
    const { status, body, headers } = answer;
    // A text and a plain object: for anything else the Node adapter first builds a whole Response.
    return new Response(body, {
      status,
      headers: responseHeaders(exchange.requestId, exchange.rateLimit, headers),
    });
  }

  // One handler and no onError: with a second match, or an error handler of its own, Hono composes for each request.
  return new Hono().all('*', handle);
}
