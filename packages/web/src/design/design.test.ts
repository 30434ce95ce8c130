import { givenDesignPages } from '@countersign/test-support/browser/design-pages';
import { expect, it } from 'vitest';

const PATHS = ['/design', '/design/list', '/design/fields', '/design/subject'];

it.each(PATHS)('%s shows parts of pages without a sign-in, only where it is switched on', async (path) => {
  const shown = await givenDesignPages().request(path);
  expect({ status: shown.status, title: /<h1>/.test(await shown.text()) }).toEqual({ status: 200, title: true });
  expect((await givenDesignPages({ isOn: false }).request(path)).status).toBe(404);
});

it('the logos of the pages are as tall and as wide as logos may be, and others stay unknown', async () => {
  const app = givenDesignPages();
  expect(await (await app.request('/faces/logos/design/tall.png')).text()).toContain('width="64" height="512"');
  expect(await (await app.request('/faces/logos/design/wide.png')).text()).toContain('width="512" height="64"');
  expect((await app.request('/faces/logos/design/other.png')).status).toBe(404);
});
