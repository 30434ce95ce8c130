import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { mountPath } from './mount.ts';
import { type PageFile, referenceScript, swaggerUiFiles } from './reference-files.ts';

export interface ReferencePageOptions {
  /** Where the page finds the OpenAPI document: `/api/v1/openapi.json`. Must be of the same origin. */
  readonly documentUrl: string;
}

/**
 * What the page may do. There is no script and no style in it, and what Swagger UI styles it styles through the
 * object model, so nothing needs `unsafe-inline`. Its icons are `data:` images.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A page to read and try the API, to be mounted with `app.route('/docs', createReferencePage(…))`. All that it needs
 * comes from the installed package `swagger-ui-dist`, which is read here and now; no other host is asked for anything.
 */
export function createReferencePage({ documentUrl }: ReferencePageOptions): Hono {
  // The only files there are: no path of a request ever reaches the file system.
  const files: ReadonlyMap<string, PageFile> = new Map([...swaggerUiFiles(), referenceScript(documentUrl)]);

  async function handle(context: Context): Promise<Response> {
    const mount = mountPath(context);
    const below = context.req.path.slice(mount.length);
    const folder = mount.slice(mount.lastIndexOf('/') + 1);
    if (below === '') return answer(await page(folder, documentUrl));
    if (below === '/') return new Response(null, { status: 308, headers: { Location: `../${folder}` } });
    const file = files.get(below.slice(1));
    return file === undefined ? await context.notFound() : answer(file);
  }

  return new Hono().get('*', handle);
}

function answer({ contentType, cacheControl, content }: PageFile): Response {
  return new Response(content, {
    headers: {
      'Content-Type': contentType,
      'Cache-Control': cacheControl,
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    },
  });
}

/** Its links are relative, so that they are right behind a proxy that adds a prefix. */
async function page(folder: string, documentUrl: string): Promise<PageFile> {
  const content = await html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Countersign API</title>
    <link rel="icon" type="image/png" href="${folder}/favicon-32x32.png">
    <link rel="stylesheet" href="${folder}/swagger-ui.css">
  </head>
  <body>
    <main id="reference"><noscript>This page needs JavaScript. <a href="${documentUrl}">The OpenAPI document</a> does not.</noscript></main>
    <script src="${folder}/swagger-ui-bundle.js"></script>
    <script src="${folder}/reference.js"></script>
  </body>
</html>
`;
  return { contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache', content };
}
