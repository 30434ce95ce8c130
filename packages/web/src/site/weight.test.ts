import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadAssets } from './assets.ts';

const { routes, pathOf } = loadAssets();

/** Returns the size of a file as browsers receive it. */
async function bytesOf(name: string): Promise<number> {
  const headers = { 'Accept-Encoding': 'br' };
  const response = await routes.request(pathOf(name).slice('/assets'.length), { headers });
  expect(response.headers.get('Content-Encoding')).toBe('br');
  return (await response.arrayBuffer()).byteLength;
}

async function sumOf(names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(names.map(bytesOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Of every page. */
const EVERYWHERE = ['tokens.css', 'base.css', 'components.css'];
const STAFF = ['shell.css', 'staff.css'];
/** The heaviest pages of each frame: its sheets, and what some of its pages add. */
const HEAVIEST = [
  ['subject.css', 'capture.css'],
  [...STAFF, 'review.css'],
  [...STAFF, 'appearance.css'],
  ['docs.css'],
];

it.each(HEAVIEST.map((sheets) => ({ sheets })))(
  'a page with $sheets weighs at most 14 kB of CSS',
  async ({ sheets: own }) => {
    expect(await sumOf([...EVERYWHERE, ...own])).toBeLessThanOrEqual(14_000);
  },
);

const sheets = readdirSync(new URL('../../assets/', import.meta.url)).filter((name) => name.endsWith('.css'));

it('these pages have every stylesheet', () => {
  expect(new Set([...EVERYWHERE, ...HEAVIEST.flat()])).toEqual(new Set(sheets));
});

it.each(sheets)('%s is sent without its comments', async (name) => {
  const css = await (await routes.request(pathOf(name).slice('/assets'.length))).text();
  expect(css).toContain('{');
  expect(css).not.toContain('/*');
});

describe('scripts of the flow weigh no more than before the pages had one design:', () => {
  it.each([
    ['answered.js', 184],
    ['copy.js', 750],
    ['handoff.js', 959],
  ])('%s at most %i bytes', async (name, bytes) => {
    expect(await bytesOf(name)).toBeLessThanOrEqual(bytes);
  });
});

it('the scripts of capture weigh at most 25 kB', async () => {
  const scripts = readdirSync(new URL('../../assets/', import.meta.url)).filter((name) =>
    /^capture.*\.js$/.test(name),
  );
  expect(scripts).toContain('capture-worker.js');
  expect(await sumOf(scripts)).toBeLessThanOrEqual(25_000);
});
