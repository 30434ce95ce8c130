import { PART_NAMES } from '@countersign/domain/storage';
import { expect, it } from 'vitest';
import { createSubjectBrowser } from '../../test-support/subject-browser.ts';
import { BASE, givenSubjectSite } from '../../test-support/subject-site.ts';

/** Opens the link of a verification. */
async function opened(missing: typeof PART_NAMES) {
  const { app, id, reference, faults } = await givenSubjectSite({ missing, asksAll: false });
  const browser = createSubjectBrowser(app, BASE);
  const start = await browser.open(`${BASE}/verify/${await reference()}`);
  return { browser, start, id, faults };
}

it('the pages of a subject offer another device and a copy of the data where the storage has both parts', async () => {
  const { browser, start, id } = await opened([]);
  expect(start.html).toContain('phone-offer');
  expect(start.html).toContain('/data-copy');
  for (const page of ['phone', 'data-copy'])
    expect((await browser.open(`${BASE}/verify/${id}/${page}`)).status).toBe(200);
});

it('the pages of a subject show nothing of a missing part; the page of such a part answers 404', async () => {
  const { browser, start, id, faults } = await opened(PART_NAMES);
  expect(start.status).toBe(200);
  expect(start.html).not.toContain('phone-offer');
  expect(start.html).not.toContain('/data-copy');
  for (const page of ['phone', 'data-copy'])
    expect((await browser.open(`${BASE}/verify/${id}/${page}`)).status).toBe(404);
  expect(faults).toEqual([]);
});
