import { describe, expect, it } from 'vitest';
import { givenFlow, walk } from '../../test-support/flow.ts';
import { followLinks, givenDataOfStaff, ROLES } from '../../test-support/linked-pages.ts';
import { givenOperator } from '../../test-support/operator.ts';
import { outlineFaults } from '../../test-support/outline-faults.ts';
import { pageDocument } from '../../test-support/page-document.ts';

function faultsOf(pages: readonly (readonly [address: string, html: string])[]): readonly string[] {
  return pages.flatMap(([address, html]) =>
    outlineFaults(pageDocument(html)).map((fault) => `${address}: ${fault}`),
  );
}

describe('the outline of pages', () => {
  // The pages of other users of a client are among those of its owner.
  it.each(ROLES.filter(([role]) => role !== 'agent' && role !== 'viewer'))(
    'every page of the %s has names, labels and headings in order',
    async (_, who) => {
      const given = await givenOperator();
      await givenDataOfStaff(given);
      const pages = await followLinks(given, who);
      const read = [...pages].filter(([, { text }]) => text.includes('<html'));
      expect(read.length).toBeGreaterThan(8);
      expect(faultsOf(read.map(([path, { text }]) => [path, text]))).toEqual([]);
    },
  );

  it.each(['kyc', 'kyb'] as const)(
    'every page of a subject (%s) has names, labels and headings in order, also after an error',
    async (type) => {
      const given = await givenFlow({ type });
      const first = await given.start();
      await given.browser.open(given.address('phone'));
      await given.browser.submit(first);
      await walk(given, first);
      const { seen } = given.browser;
      expect(seen.length).toBeGreaterThan(8);
      expect(faultsOf(seen.map(({ address, html }) => [address, html]))).toEqual([]);
    },
  );

  it.each([
    ['<a href="/"><img src="a.png"></a>', ['no name: a /', 'no alternative text: img a.png']],
    ['<input name="a"><label for="b"></label>', ['for refers to a missing element: b', 'no label: input a']],
    ['<h3>a</h3><p id="a"></p><p id="a"></p>', ['headings skip a level: 1,3', 'duplicate id a']],
  ])('faults are found in %s', (part, faults) => {
    const page = `<html lang="en"><title>a</title><main><h1>a</h1>${part}</main></html>`;
    expect(outlineFaults(pageDocument(page))).toEqual(faults);
  });
});
