import { globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { COPY_SCRIPT } from '../parts/copy.tsx';
import { loadAssets } from './assets.ts';

const ASSETS = fileURLToPath(new URL('../../assets/', import.meta.url));
const FLOW = fileURLToPath(new URL('../verify/', import.meta.url));

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

const sheets = readdirSync(ASSETS).filter((name) => name.endsWith('.css'));

it('these pages have every stylesheet', () => {
  expect(new Set([...EVERYWHERE, ...HEAVIEST.flat()])).toEqual(new Set(sheets));
});

it.each(sheets)('%s is sent without its comments', async (name) => {
  const css = await (await routes.request(pathOf(name).slice('/assets'.length))).text();
  expect(css).toContain('{');
  expect(css).not.toContain('/*');
});

/** Scripts of the hosted flow beside those of capture, as a phone receives them. */
const FLOW_SCRIPTS = {
  'answered.js': 184,
  'copy.js': 750,
  'handoff.js': 959,
  'htmx.js': 13_500,
  'reading.js': 850,
};
/**
 * An exception: the scripts of the flow may weigh no more than before the pages had one design, but those of capture, then
 * 4.4 kB, grew with what the camera gained since: a layer over the whole screen, a judgement of each live picture, a photo
 * that is sent while the subject looks at it. A page without a picture loads none of them.
 */
const CAPTURE_MAX = 25_000;

it.each(Object.entries(FLOW_SCRIPTS))('%s weighs at most %i bytes', async (name, bytes) => {
  expect(await bytesOf(name)).toBeLessThanOrEqual(bytes);
});

it('the scripts of capture weigh at most 25 kB', async () => {
  const scripts = readdirSync(ASSETS).filter((name) => /^capture.*\.js$/.test(name));
  expect(scripts).toContain('capture-worker.js');
  expect(await sumOf(scripts)).toBeLessThanOrEqual(CAPTURE_MAX);
});

it('each script that a page of the flow names has a ceiling', () => {
  const files = globSync('**/*.tsx', { cwd: FLOW });
  const named = files.flatMap((file) =>
    [...readFileSync(FLOW + file, 'utf8').matchAll(/'([\w-]+\.js)'|COPY_SCRIPT/g)].map(
      ([, name = COPY_SCRIPT]) => name,
    ),
  );
  // The frame adds answered.js to each page that refuses a form.
  expect(new Set([...named, 'answered.js'])).toEqual(new Set([...Object.keys(FLOW_SCRIPTS), 'capture.js']));
});

it('the finder of lines, which only pages with a camera load, weighs at most 60 kB with its weights', async () => {
  expect(await bytesOf('finder.js')).toBeLessThanOrEqual(60_000);
});
