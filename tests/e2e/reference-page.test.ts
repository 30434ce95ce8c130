import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;
/** The page's address, which the start prints. */
let address: string;
let page: string;
let policy: string;

beforeAll(async () => {
  server = await startServer();
  address = (await server.says(/API reference: (\S+)/))[1] ?? '';
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  policy = response.headers.get('content-security-policy') ?? '';
  page = await response.text();
});

const attributes = (name: string) =>
  [...page.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

/** Expects a same-origin reference with status 200. */
async function expectOurs(reference: string, from = address): Promise<Response> {
  const url = new URL(reference, from);
  expect(url.origin, reference).toBe(new URL(address).origin);
  const response = await fetch(url);
  expect(response.status, reference).toBe(200);
  return response;
}

describe('/docs', () => {
  it('loads only files of the server', async () => {
    const references = [...attributes('src'), ...attributes('href')];
    expect(references.length).toBeGreaterThanOrEqual(4);
    for (const reference of references) await (await expectOurs(reference)).arrayBuffer();
  });

  it('loads the OpenAPI document from the same origin', async () => {
    const script = await (
      await expectOurs(attributes('src').find((src) => src.endsWith('reference.js')) ?? '')
    ).text();
    const documentUrl = /"url":"([^"]+)"/.exec(script)?.[1] ?? '';

    const response = await expectOurs(documentUrl);

    expect(await response.json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) as string });
    // Without it, Swagger UI sends the document to a third-party validator.
    expect(script).toContain('"validatorUrl":null');
  });

  it('loads no style sheet resources from other hosts', async () => {
    for (const href of attributes('href').filter((reference) => reference.endsWith('.css'))) {
      const sheet = await (await expectOurs(href)).text();
      expect(sheet).not.toMatch(/@import/);
      for (const [, target = ''] of sheet.matchAll(/url\(\s*["']?([^"')]+)/g)) {
        if (!target.startsWith('data:') && !target.startsWith('#'))
          await expectOurs(target, new URL(href, address).href);
      }
    }
  });

  it('has a policy that allows only same-origin scripts and styles', () => {
    const directives = new Map(
      policy.split(';').map((directive) => {
        const [name = '', ...values] = directive.trim().split(/\s+/);
        return [name, values.join(' ')];
      }),
    );
    expect(directives.get('default-src')).toBe("'none'");
    expect(directives.get('script-src')).toBe("'self'");
    expect(directives.get('style-src')).toBe("'self'");
    expect(directives.get('connect-src')).toBe("'self'");
    expect(directives.get('frame-ancestors')).toBe("'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    // The page has nothing that the policy blocks.
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/i);
  });

  it('serves no other files', async () => {
    for (const path of [
      '/docs/package.json',
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e/%2e%2e/package.json',
      '/docs/index.html',
    ]) {
      expect((await fetch(server.origin + path)).status, path).toBe(404);
    }
  });
});
