/**
 * Chooses the size of a long test: `npm run test:long` runs it in full, `npm test` in a short form, which asserts the same
 * of fewer cases. In the short form, pages are opened in one language and two of four looks, all rules of accessibility run
 * where a page has a kind of part that no page before had, and one refused form of each kind is sent; elsewhere there are
 * fewer verifications, rows and kills, and shorter outages.
 */
export function extent({ full, short }: { readonly full: number; readonly short: number }): number {
  return process.env.LONG_TESTS === 'on' ? full : short;
}
