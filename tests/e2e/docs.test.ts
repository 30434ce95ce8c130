// Starts a server and reads each page of its documentation.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

/** The most bytes of a page with its styles and scripts, as they are sent. */
const PAGE_MAX_BYTES = 150_000;

/** Every address in the navigation of the documentation. */
let pages: readonly string[];
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
  const address = (await server.says(/API reference: (\S+)/))[1] ?? '';
  const response = await fetch(address);
  expect(response.status).toBe(200);
  const nav = /<nav class="docs-nav".*?<\/nav>/s.exec(await response.text())?.[0] ?? '';
  pages = attributesOf(nav, 'href').map((path) => new URL(path, address).href);
});

function attributesOf(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
}

/** Lists the addresses of the styles, scripts and images that a page loads. */
function filesOf(html: string, address: string): readonly string[] {
  const tags = html.match(/<(?:link|script|img)\b[^>]*>/g) ?? [];
  const files = tags.flatMap((tag) => [...attributesOf(tag, 'href'), ...attributesOf(tag, 'src')]);
  return [...new Set(files)].map((file) => new URL(file, address).href);
}

/** Counts the bytes of a body as they are sent. */
async function bytesOf(address: string, encoding: string): Promise<number> {
  const headers = { 'Accept-Encoding': encoding };
  const [response] = (await once(get(address, { headers }), 'response')) as [IncomingMessage];
  expect(response.statusCode, address).toBe(200);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}

describe('/docs', () => {
  it('/docs has an overview, guides and a reference', () => {
    expect(pages.length).toBeGreaterThanOrEqual(10);
  });

  it.each(['gzip', 'gzip, deflate, br, zstd'])(
    'no page takes more than 150 kB with everything that it loads, for a browser that accepts %s',
    async (encoding) => {
      for (const page of pages) {
        const files = filesOf(await (await fetch(page)).text(), page);
        expect(files.length).toBeGreaterThan(4);
        const sizes = await Promise.all([page, ...files].map((address) => bytesOf(address, encoding)));
        const sum = sizes.reduce((total, size) => total + size, 0);
        expect(sum, page).toBeGreaterThan(10_000);
        expect(sum, page).toBeLessThanOrEqual(PAGE_MAX_BYTES);
      }
    },
  );

  it('loads nothing from other hosts, in pages and styles', async () => {
    for (const page of pages) {
      for (const file of filesOf(await (await fetch(page)).text(), page)) {
        expect(new URL(file).origin).toBe(new URL(page).origin);
        if (!file.endsWith('.css')) continue;
        const sheet = await (await fetch(file)).text();
        expect(sheet).not.toMatch(/@import/);
        for (const [, target = ''] of sheet.matchAll(/url\(\s*["']?([^"')]+)/g))
          expect(target).toMatch(/^(?:data:|#)/);
      }
    }
  });

  it('/docs has a policy that allows only same-origin scripts, styles and requests', async () => {
    for (const page of pages) {
      const policy = (await fetch(page)).headers.get('content-security-policy') ?? '';
      const directives = policy.split('; ');
      for (const directive of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]) {
        expect(directives).toContain(directive);
      }
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  it('links to the OpenAPI document of this server', async () => {
    const [reference = ''] = pages.filter((page) => page.endsWith('/reference'));
    const [path = ''] = attributesOf(await (await fetch(reference)).text(), 'href').filter((href) =>
      href.endsWith('/openapi.json'),
    );
    const document = await (await fetch(new URL(path, reference))).json();
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) as string });
  });

  it('serves no other files', async () => {
    for (const path of [
      '/docs/package.json',
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e/%2e%2e/package.json',
      '/docs/guides/%2e%2e%2freference',
      '/docs/index.html',
    ]) {
      expect((await fetch(server.origin + path)).status, path).toBe(404);
    }
  });
});
