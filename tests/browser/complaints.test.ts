import { createServer } from 'node:http';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { describeWith } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PAGES: Readonly<Record<string, string>> = {
  '/no-style': '<link rel="stylesheet" href="/missing.css">',
  '/no-script': '<script src="/missing.js"></script>',
  '/no-picture': '<img src="/missing.png" alt="">',
};

describeWith(['chromium'], 'the complaints of a browser', () => {
  const server = createServer(({ url = '' }, response) => {
    const content = PAGES[url];
    const isFile = url.includes('missing');
    response.writeHead(content === undefined ? 404 : 200, { 'Content-Type': isFile ? 'text/plain' : 'text/html' });
    response.end(`<!doctype html><title>Page</title><link rel="icon" href="data:,">${content ?? ''}`);
  });
  let origin: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
    origin = `http://127.0.0.1:${address.port}`;
  });
  afterAll(() => void server.close());

  it.each([
    ['/no-style', '/missing.css'],
    ['/no-script', '/missing.js'],
    ['/no-picture', '/missing.png'],
  ])('name the file that a page fails to load: %s', async (path, file) => {
    const { page, context, complaints } = await newVisitor(origin);
    const message = context.waitForEvent('console');
    await page.goto(origin + path);
    await message;
    expect(complaints.all()).toEqual([expect.stringMatching(new RegExp(`status of 404.*${origin}${file}`))]);
  });

  it('leave out the error status of the page itself', async () => {
    const { page, context, complaints } = await newVisitor(origin);
    const message = context.waitForEvent('console');
    await page.goto(`${origin}/nowhere#part`);
    expect((await message).text()).toContain('status of 404');
    expect(complaints.all()).toEqual([]);
  });
});
