// Answers every screen for people and businesses in both languages: each may name a missing part.
import { PART_NAMES } from '@countersign/domain/storage';
import { namedParts } from '@countersign/test-support/pages/words-of-parts';
import { reviewAs } from '@countersign/test-support/service/operations';
import { expect, it } from 'vitest';
import { givenFlow, walk } from '../../test-support/flow.ts';
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

it.each([
  ['kyc', 'en'],
  ['kyc', 'de'],
  ['kyb', 'en'],
  ['kyb', 'de'],
] as const)(
  'no page of a %s subject in %s names a missing part, from the link to the decision',
  async (type, language) => {
    const given = await givenFlow({ type, language, missing: PART_NAMES });
    const { browser, countersign, id } = given;
    await browser.open(await given.link());
    await walk(given, await given.start());
    const review = reviewAs(countersign);
    const { version } = await review.claim({ verificationId: id, version: (await given.read()).version });
    await review.approve({ verificationId: id, version });
    await browser.open(given.address());
    expect((await given.read()).status).toBe('approved');
    const naming = browser.seen.flatMap(({ address, document }) =>
      namedParts(document.querySelector('body')?.textContent ?? '', PART_NAMES).map(
        (words) => `${address}: ${words}`,
      ),
    );
    expect([...new Set(naming)]).toEqual([]);
  },
);

it.each([
  ['kyc', 'kyc-2026-11k', []],
  ['kyc', 'kyc-2026-11k-short', PART_NAMES],
] as const)(
  'the consent of a %s subject has the version %s where the storage lacks %j',
  async (type, version, missing) => {
    const given = await givenFlow({ type, missing });
    await given.browser.submit(await given.start(), given.typed.consent);
    expect((await given.read()).steps.consent?.answers).toMatchObject({ version });
  },
);
