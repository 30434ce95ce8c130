import type { Countersign } from '@countersign/domain';
import { Hono } from 'hono';
import type { ApiOptions } from './api-options.ts';
import { requestOfContext } from './context-request.ts';
import { createAnswerer } from './handle.ts';

/**
 * The HTTP interface for Hono. It answers everything below its mount point, in the envelope and with the headers of
 * the interface, whatever happens.
 *
 * Mount it with `app.route`, not `app.mount`. Whatever else of the outer app matches the same paths, such as an
 * `app.use('*')`, costs each request about a twentieth of its time.
 *
 * @example
 * const api = createApi(countersign, { clientAddress, newRequestId, onFault });
 * const app = new Hono().route('/api/v1', api);
 */
export function createApi(countersign: Countersign, options: ApiOptions): Hono {
  const answerTo = createAnswerer(countersign, options);

  // One handler and no onError: with a second match, or an error handler of its own, Hono composes for each request.
  return new Hono().all('*', async (context) => {
    const { status, headers, body } = await answerTo(requestOfContext(context, options.clientAddress));
    // A text and a plain object: for anything else the Node adapter first builds a whole Response.
    return new Response(body, { status, headers });
  });
}
