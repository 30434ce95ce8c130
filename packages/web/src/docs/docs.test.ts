import { DOCS_PAGES } from '@countersign/test-support/pages/docs-pages';
import { describe, expect, it } from 'vitest';
import { BASE, givenDocs, readPage, realDocument } from '../../test-support/docs-site.ts';
import { operationsOf } from './api-document.ts';

const app = givenDocs();
const operations = operationsOf(realDocument());
/** Every page, those of operations included. */
const ALL_PAGES = [
  ...new Set([...DOCS_PAGES, ...operations.map(({ operationId }) => `/docs/reference/${operationId}`)]),
];

describe.each(ALL_PAGES)('%s', (path) => {
  it('is in English with header and footer in the language of the visitor', async () => {
    const page = await readPage(app, path, 'de');
    expect(page.documentElement.getAttribute('lang')).toBe('en');
    const parts = ['.skip-link', 'header', 'footer'].map((part) => page.querySelector(part)?.getAttribute('lang'));
    expect(parts).toEqual(['de', 'de', 'de']);
    expect(page.querySelector('main')?.textContent).toContain('Diese Dokumentation gibt es nur auf Englisch.');
    const english = await readPage(app, path);
    expect(english.querySelector('.skip-link')?.hasAttribute('lang')).toBe(false);
    expect(english.querySelector('.notice[lang]')).toBeNull();
  });

  it('has no inline script or style, and no resource of another origin', async () => {
    const html = await (await app.request(path)).text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+="/i);
    const loaded = [...html.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]*)"/g)];
    expect(loaded.length).toBeGreaterThan(3);
    for (const [, address] of loaded) expect(address).toMatch(new RegExp(`^${BASE}/assets/`));
  });

  it('has headings in order, and no id twice', async () => {
    const page = await readPage(app, path);
    const ids = [...page.querySelectorAll('[id]')].map((element) => element.getAttribute('id'));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const levels = [...page.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]));
    expect(levels[0]).toBe(1);
    expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });
});

it('every link leads to a page of the service and, within the documentation, to an element that exists', async () => {
  const pages = new Map(
    await Promise.all(ALL_PAGES.map(async (path) => [path, await readPage(app, path)] as const)),
  );
  const wrong: string[] = [];
  for (const [path, page] of pages) {
    for (const link of page.querySelectorAll('main a[href]')) {
      const url = new URL(link.getAttribute('href') ?? '', `https://verify.example${BASE}${path}`);
      if (url.origin !== 'https://verify.example') continue;
      const target = pages.get(url.pathname.slice(BASE.length));
      const isOther = [`${BASE}/login`, `${BASE}/api/v1/openapi.json`].includes(url.pathname);
      const isThere =
        url.hash === '' || (target?.getElementById(decodeURIComponent(url.hash.slice(1))) ?? null) !== null;
      if (!(isOther || (target !== undefined && isThere))) wrong.push(`${path}: ${url.pathname}${url.hash}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('overview and guides link to every operation and to every field of a creation that the service acts on', async () => {
  const guides = DOCS_PAGES.filter((path) => !path.startsWith('/docs/reference'));
  const pages = await Promise.all(guides.map((path) => readPage(app, path)));
  const links = pages.flatMap((page) => [...page.querySelectorAll('main a[href]')]);
  const linked = new Set(links.map((link) => link.getAttribute('href')?.split('/docs/reference/')[1]));
  const withKey = operations.flatMap(({ operationId, needsKey }) => (needsKey ? operationId : []));
  const fields = ['notify', 'returnUrl'].map((name) => `createVerification#NewVerification.${name}`);
  expect([...withKey, ...fields].filter((id) => !linked.has(id))).toEqual([]);
});

it('lists every page in the navigation of the reference, with the open one marked', async () => {
  for (const path of ALL_PAGES) {
    const page = await readPage(app, path);
    const links = [...page.querySelectorAll('.docs-nav a')];
    const isReference = path.startsWith('/docs/reference');
    const pages = ALL_PAGES.filter((other) => isReference || !other.startsWith('/docs/reference/'));
    expect(links.map((link) => link.getAttribute('href')).sort()).toEqual(pages.map((page) => BASE + page).sort());
    const current = links.filter((link) => link.getAttribute('aria-current') === 'page');
    expect(current.map((link) => link.getAttribute('href'))).toEqual([BASE + path]);
  }
});

it('lists the sections of a page beside it', async () => {
  const page = await readPage(app, '/docs/reference/createVerification');
  const links = [...page.querySelectorAll('.docs-toc a')];
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '#request',
    '#parameters',
    '#body',
    '#response-201',
    '#errors',
    '#try-it',
  ]);
});

it('/docs/ redirects to /docs, and an unknown guide gets the 404 page', async () => {
  const moved = await app.request('/docs/');
  expect([moved.status, moved.headers.get('Location')]).toEqual([308, `${BASE}/docs`]);
  const unknown = await app.request('/docs/guides/unknown');
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain('Page not found');
});

it('without a document, /docs belongs to the app around, and no page links to it', async () => {
  const without = givenDocs(null);
  expect(await (await without.request('/docs')).text()).toBe('404 Not Found');
  expect(await (await without.request('/')).text()).not.toContain('/docs');
  expect(await (await app.request('/')).text()).toContain(`href="${BASE}/docs"`);
});

it('reads the document with the first request, and refuses one of another version of OpenAPI', async () => {
  const faults: unknown[] = [];
  const other = givenDocs({ swagger: '2.0' }, (fault) => faults.push(fault));
  expect((await other.request('/')).status).toBe(200);
  expect((await other.request('/docs')).status).toBe(500);
  expect(faults.map(String)).toEqual(['Error: apiDocument is not an OpenAPI document of version 3.1']);
});
