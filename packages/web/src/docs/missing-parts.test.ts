// Draws every page of the documentation three times: each may name a missing part.
import { PART_NAMES, type StoragePart } from '@countersign/domain/storage';
import { DOCS_PAGES } from '@countersign/test-support/pages/docs-pages';
import { namedParts, WORDS_OF_PARTS } from '@countersign/test-support/pages/words-of-parts';
import { expect, it } from 'vitest';
import { BASE, givenDocs, readPage, realDocument } from '../../test-support/docs-site.ts';
import { operationsOf } from './api-document.ts';

/** The reference describes values of the interface, which stay; guides, overview and the index promise what the service does. */
const isDescription = (path: string): boolean => path.startsWith('/docs/reference/');

async function pagesWith(parts: ReadonlySet<StoragePart>) {
  const document = realDocument(undefined, parts);
  const app = givenDocs(document, undefined, parts);
  const operations = operationsOf(document).map(({ operationId }) => `/docs/reference/${operationId}`);
  const pages = new Map<string, Awaited<ReturnType<typeof readPage>>>();
  const missing: string[] = [];
  for (const path of new Set([...DOCS_PAGES, ...operations])) {
    const { status } = await app.request(path);
    if (status === 404) missing.push(path);
    else pages.set(path, await readPage(app, path));
  }
  return { pages, missing };
}

it.each(WORDS_OF_PARTS)('the documentation does not name %s where the storage lacks it', async (part) => {
  const { pages } = await pagesWith(new Set(PART_NAMES.filter((one) => one !== part)));
  const naming = [...pages].flatMap(([path, page]) => {
    const text = isDescription(path) ? '' : (page.querySelector('main')?.textContent ?? '');
    return namedParts(text, [part]).map((words) => `${path}: ${words}`);
  });
  expect(naming).toEqual([]);
});

it('guides and reference pages of missing parts answer 404, and no link leads to one', async () => {
  const { pages, missing } = await pagesWith(new Set());
  const links = [...pages.values()].flatMap((page) =>
    [...page.querySelectorAll('main a[href]')].map((link) => link.getAttribute('href') ?? ''),
  );
  expect(missing).toContain('/docs/guides/webhooks');
  expect(missing).toContain('/docs/guides/retention');
  expect(missing).toContain('/docs/reference/webhooks');
  expect(links.filter((href) => missing.includes(href.slice(BASE.length).split('#', 1)[0] ?? ''))).toEqual([]);
});
