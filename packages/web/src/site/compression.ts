import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import { parseAccept } from 'hono/utils/accept';
import type { WebEnv } from './page.ts';

/** Below this size, a page fits into one packet either way. */
const COMPRESSED_FROM_BYTES = 1024;

const compress = promisify(gzip);

/**
 * Compresses pages with gzip. Files of verifications, exports and assets are not pages.
 *
 * The size of a compressed page tells how much of it repeats: someone who makes a browser request a page many times with
 * varied input, and sees the sizes on the network, can guess a secret on it (BREACH). So a page that another site asked
 * for with the browser's cookies is sent as it is.
 */
export const compressPages: MiddlewareHandler<WebEnv> = async (context, next) => {
  await next();
  const { req, res } = context;
  if (!isPage(res) || req.method === 'HEAD') return;
  // `context.header` would copy the response, and its body with it.
  res.headers.append('Vary', 'Accept-Encoding');
  if (!acceptsGzip(req.header('Accept-Encoding')) || mayBeProbed(req)) return;
  const page = Buffer.from(await res.arrayBuffer());
  const body = page.byteLength < COMPRESSED_FROM_BYTES ? page : await compress(page);
  const headers = new Headers(res.headers);
  headers.delete('Content-Length');
  if (body !== page) headers.set('Content-Encoding', 'gzip');
  context.res = new Response(Uint8Array.from(body), { status: res.status, headers });
};

function isPage({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('text/html') === true;
}

function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return parseAccept(acceptEncoding ?? '').some(({ type, q }) => type.toLowerCase() === 'gzip' && q > 0);
}

/** Whether another site may have caused the request. Browsers before 2023 do not say who did. Without cookies a page holds no secret. */
function mayBeProbed(req: { header(name: string): string | undefined }): boolean {
  if (req.header('Cookie') === undefined) return false;
  return !['same-origin', 'none'].includes(req.header('Sec-Fetch-Site') ?? '');
}
