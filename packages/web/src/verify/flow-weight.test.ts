import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { type GivenFlow, givenFlow, walk } from '../../test-support/flow.ts';
import { BASE, ORIGIN } from '../../test-support/subject-site.ts';

/** What a phone may receive in the whole flow of a card, beside the small pictures of what it sent. */
const MAX_BYTES = 300_000;

let given: GivenFlow;
/** Addresses that the pages load, without what they link to. */
let loaded: readonly string[];

beforeAll(async () => {
  given = await givenFlow();
  await given.countersign.flowSettings.change(given.clientId, {
    placeOfBirth: true,
    proofOfAddress: true,
    readingIsAdvice: false,
    familyNameIndex: false,
    warningsInDetails: false,
  });
  const { end } = await walk(given, await given.start());
  expect(end.heading).toBe('Thank you, we have received everything');
  loaded = given.browser.seen.flatMap(({ document }) =>
    [
      ...[...document.querySelectorAll('link[rel="stylesheet"], link[rel="icon"], use')].map((element) =>
        element.getAttribute('href'),
      ),
      // A whole picture is loaded once it is enlarged.
      ...[...document.querySelectorAll('script[src], img:not([loading="lazy"])')].map((element) =>
        element.getAttribute('src'),
      ),
    ].flatMap((address) => address ?? []),
  );
});

/** Loads an asset as a browser by http does, and what it imports, and adds their sizes: each is loaded once. */
async function load(address: string, sizes: Map<string, number>): Promise<void> {
  const { pathname, href } = new URL(address, ORIGIN);
  if (sizes.has(pathname)) return;
  const response = await given.app.request(pathname.slice(BASE.length), {
    headers: { 'Accept-Encoding': 'gzip' },
  });
  expect(response.status, pathname).toBe(200);
  sizes.set(pathname, (await response.arrayBuffer()).byteLength);
  if (!/\.(js|css)$/.test(pathname)) return;
  const text = await (await given.app.request(pathname.slice(BASE.length))).text();
  // Imports of modules, workers, and pictures of styles.
  const parts = text.matchAll(
    /(?:\bfrom |\bimport |\bimport\(|\bnew URL\(|\burl\()\s*['"]?(\.{0,2}\/?[\w./-]+\.(?:js|css|svg|png|woff2))/g,
  );
  for (const [, part = ''] of parts) await load(new URL(part, href).href, sizes);
}

describe('the whole flow of a card, with an empty cache', () => {
  it('sends at most 300 kB of pages, scripts, styles and drawings', async () => {
    const pages = given.browser.seen.map(({ html }) => gzipSync(html).byteLength);
    const assets = new Map<string, number>();
    for (const address of loaded) {
      if (address.includes('/assets/')) await load(address, assets);
    }
    for (const name of ['capture-quality.js', 'finder.js']) {
      expect(
        [...assets.keys()].some((path) => path.endsWith(`/${name}`)),
        name,
      ).toBe(true);
    }
    const sum = [...pages, ...assets.values()].reduce((all, size) => all + size, 0);
    expect(sum).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('shows pictures of the subject by their thumbnails only', () => {
    const others = loaded.filter((address) => !address.includes('/assets/'));
    expect(others.length).toBeGreaterThan(3);
    for (const address of others) expect(address).toMatch(/\/files\/[^/]+\/thumbnail$/);
  });

  it('folds whole pictures of the document, which are loaded once they are enlarged', () => {
    const sources = (selector: string) =>
      given.browser.seen.flatMap(({ document }) =>
        [...document.querySelectorAll(selector)].map((picture) => picture.getAttribute('src')),
      );
    const folded = sources('details:not([open]) > img[loading="lazy"]');
    expect(folded).toEqual([1, 2].map(() => expect.stringMatching(/\/files\/[^/]+$/)));
    expect(folded).toEqual(sources('img[loading]'));
  });
});
