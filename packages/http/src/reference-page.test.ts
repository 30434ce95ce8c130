import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { createReferencePage } from './reference-page.ts';

const page = createReferencePage({ documentUrl: '/api/v1/openapi.json' });
const app = new Hono().route('/docs', page).notFound((context) => context.text('the outer app', 404));

/** The URLs that a page loads, as a browser resolves them. */
function referencesIn(html: string, address: string): string[] {
  const references = [...html.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, reference = '']) => reference);
  return references.map((reference) => new URL(reference, `http://localhost${address}`).pathname);
}

describe('the reference page', () => {
  it('loads only its own files and the OpenAPI document', async () => {
    const response = await app.request('/docs');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');

    const references = referencesIn(await response.text(), '/docs');

    expect(references).toEqual([
      '/docs/favicon-32x32.png',
      '/docs/swagger-ui.css',
      '/api/v1/openapi.json',
      '/docs/swagger-ui-bundle.js',
      '/docs/reference.js',
    ]);
    for (const path of references.filter((path) => path.startsWith('/docs/'))) {
      expect((await app.request(path)).status).toBe(200);
    }
  });

  it.each([
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8', '.swagger-ui'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8', 'SwaggerUIBundle'],
    ['/docs/favicon-32x32.png', 'image/png', 'PNG'],
    ['/docs/reference.js', 'text/javascript; charset=utf-8', '"url":"/api/v1/openapi.json"'],
  ])('%s has the type %s', async (path, contentType, content) => {
    const response = await app.request(path);
    expect(response.headers.get('Content-Type')).toBe(contentType);
    expect(response.headers.get('Cache-Control')).toMatch(/^(no-cache|public, max-age=\d+)$/);
    expect(await response.text()).toContain(content);
  });

  it.each([
    ['br', 'gzip, br', brotliDecompressSync],
    ['gzip', 'gzip;q=0.5, br;q=0', gunzipSync],
  ])('sends its largest file in %s to a browser that accepts %s', async (encoding, accepted, decompress) => {
    const path = '/docs/swagger-ui-bundle.js';
    const plain = await app.request(path);
    const response = await app.request(path, { headers: { 'Accept-Encoding': accepted } });
    expect([plain.headers.get('Content-Encoding'), response.headers.get('Content-Encoding')]).toEqual([
      null,
      encoding,
    ]);
    expect(response.headers.get('Vary')).toBe('Accept-Encoding');
    const whole = Buffer.from(await plain.arrayBuffer());
    const sent = Buffer.from(await response.arrayBuffer());
    expect(sent.byteLength).toBeLessThan(whole.byteLength / 3);
    expect(decompress(sent).equals(whole)).toBe(true);
  });

  it('answers 304 to a browser that has the file, and sends no picture compressed', async () => {
    const etag = (await app.request('/docs/swagger-ui.css')).headers.get('ETag') ?? '';
    const headers = { 'If-None-Match': etag, 'Accept-Encoding': 'br' };
    const again = await app.request('/docs/swagger-ui.css', { headers });
    expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, etag, '']);
    const picture = await app.request('/docs/favicon-32x32.png', { headers });
    expect([picture.status, picture.headers.get('Content-Encoding')]).toEqual([200, null]);
  });

  it('policy allows no inline script, no inline style and no other host', async () => {
    for (const path of ['/docs', '/docs/reference.js', '/docs/swagger-ui.css']) {
      const { headers } = await app.request(path);
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toMatch(/unsafe|http|\*/);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    }
    // By default Swagger UI sends the document to a validator on another host.
    expect(await (await app.request('/docs/reference.js')).text()).toContain('"validatorUrl":null');
    const html = await (await app.request('/docs')).text();
    expect(html).not.toMatch(/<style|\sstyle=|<script>|\son\w+=/);
  });

  it.each([
    '/docs/package.json',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/..%2fpackage.json',
    '/docs/..%5c..%5cpackage.json',
    '/docs/%2e%2e%2f%2e%2e%2fpackage.json',
    '/docs/swagger-ui.css%00',
    '/docs/swagger-ui.css/',
    '/docs/__proto__',
    '/docs//etc/passwd',
  ])('%s: no file, the outer app answers', async (path) => {
    const response = await app.request(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('the outer app');
  });

  it('redirects /docs/ to /docs', async () => {
    const response = await app.request('/docs/');
    expect(response.status).toBe(308);
    expect(new URL(response.headers.get('Location') ?? '', 'http://localhost/docs/').pathname).toBe('/docs');
  });

  it('escapes the parameters of its mount point', async () => {
    const elsewhere = new Hono().route('/:name', page);
    const html = await (await elsewhere.request('/%22%3E%3Cscript%3Ealert(1)')).text();
    expect(html).not.toContain('<script>alert');
  });
});
