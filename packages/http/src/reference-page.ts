import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { mountPathOf } from './hono.ts';
import { type AnswerFile, type StaticFile, serveFile } from './static-file.ts';

/** Options of the reference page. */
export interface ReferencePageOptions {
  /** The URL of the OpenAPI document, of the same origin: `/api/v1/openapi.json`. */
  readonly documentUrl: string;
}

/**
 * Makes a page to read and try the API. All its files come from the installed package `swagger-ui-dist`; no other host
 * is contacted.
 *
 * @returns a Hono app to mount with `app.route`
 * @throws Error if `swagger-ui-dist` is not installed
 *
 * @example
 * app.route('/docs', createReferencePage({ documentUrl: '/api/v1/openapi.json' }));
 */
export function createReferencePage({ documentUrl }: ReferencePageOptions): Hono {
  // Read once, here: no path of a request reaches the file system.
  const files: ReadonlyMap<string, AnswerFile> = new Map(
    [...swaggerUiFiles(), startScript(documentUrl)].map(([name, file]) => [name, serveFile(file)]),
  );

  async function handle(context: Context): Promise<Response> {
    const mountPath = mountPathOf(context);
    const below = context.req.path.slice(mountPath.length);
    const folder = mountPath.slice(mountPath.lastIndexOf('/') + 1);
    if (below === '') return respond(context, serveFile(await page(folder, documentUrl)));
    if (below === '/') return new Response(null, { status: 308, headers: { Location: `../${folder}` } });
    const file = files.get(below.slice(1));
    return file === undefined ? await context.notFound() : respond(context, file);
  }

  return new Hono().get('*', handle);
}

/**
 * The page has no inline script and no inline style, and Swagger UI sets styles through the object model, so nothing
 * needs `unsafe-inline`. Its icons are `data:` images.
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

function respond({ req }: Context, answer: AnswerFile): Promise<Response> {
  const request = {
    acceptEncoding: req.header('Accept-Encoding') ?? null,
    ifNoneMatch: req.header('If-None-Match') ?? null,
  };
  return answer(request, {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
}

/** Links are relative, so that they are correct behind a proxy that adds a prefix. */
async function page(folder: string, documentUrl: string): Promise<StaticFile> {
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
  return { contentType: 'text/html; charset=utf-8', cacheControl: 'no-cache', content: String(content) };
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** The files of Swagger UI that the page uses, with their content types. */
const SWAGGER_UI: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': JAVASCRIPT,
  'favicon-32x32.png': 'image/png',
};

/** The files change only with a new version of the service. */
const ONE_DAY = 'public, max-age=86400';

function swaggerUiFiles(): [name: string, file: StaticFile][] {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return Object.entries(SWAGGER_UI).map(([name, contentType]) => {
    return [name, { contentType, cacheControl: ONE_DAY, content: readFileSync(join(folder, name)) }];
  });
}

/** The script that starts Swagger UI: a file, because the policy forbids inline scripts. */
function startScript(documentUrl: string): [name: string, file: StaticFile] {
  const settings = {
    url: documentUrl,
    dom_id: '#reference',
    deepLinking: true,
    // By default Swagger UI sends the document to validator.swagger.io.
    validatorUrl: null,
  };
  const content = `SwaggerUIBundle(${JSON.stringify(settings)});\n`;
  return ['reference.js', { contentType: JAVASCRIPT, cacheControl: 'no-cache', content }];
}
