import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { givenDesignPages } from '@countersign/test-support/browser/design-pages';
import { expect, it } from 'vitest';

const PATHS = [
  '/design',
  '/design/list',
  '/design/fields',
  '/design/subject',
  '/design/answers',
  '/design/detail',
  '/design/case',
  '/design/end',
];

it.each(PATHS)('%s shows parts of pages without a sign-in, only where it is switched on', async (path) => {
  const shown = await givenDesignPages().request(path);
  expect({ status: shown.status, title: /<h1[ >]/.test(await shown.text()) }).toEqual({
    status: 200,
    title: true,
  });
  expect((await givenDesignPages({ isOn: false }).request(path)).status).toBe(404);
});

it('the logos of the pages are as tall and as wide as logos may be, and others stay unknown', async () => {
  const app = givenDesignPages();
  expect(await (await app.request('/faces/logos/design/tall.png')).text()).toContain('width="64" height="512"');
  expect(await (await app.request('/faces/logos/design/wide.png')).text()).toContain('width="512" height="64"');
  expect((await app.request('/faces/logos/design/other.png')).status).toBe(404);
});

/** Components that no page of the design names, and why. */
const NOT_NAMED = { Shell: 'stands around every page', Table: 'is drawn by lists' };

it('every component of parts/ is shown, or there is a reason why it need not be', () => {
  const shown = sourcesOf('./*.tsx');
  const components = [...sourcesOf('../parts/*.tsx').matchAll(/^export (?:const|function) ([A-Z][a-z]\w*)/gm)];
  expect(components.length).toBeGreaterThan(20);
  const missing = components.map(([, name = '']) => name).filter((name) => !new RegExp(`<${name}\\b`).test(shown));
  expect(missing).toEqual(Object.keys(NOT_NAMED));
});

function sourcesOf(pattern: string): string {
  const files = globSync(pattern, { cwd: import.meta.dirname });
  return files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join('\n');
}
