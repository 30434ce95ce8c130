/**
 * Chooses the size of a long test: `npm run test:faults` and `npm run test:long` run it in full, all others in a short form, which asserts the same
 * for fewer cases. The short form opens pages in one language and two of four looks, measures in the other language only
 * those that answer no form, runs the accessibility rules only on new kinds of elements, submits one refused form of each
 * kind, opens each route but not each state of its page, and has fewer verifications, rows and kills and shorter outages.
 */
export function extent({ full, short }: { readonly full: number; readonly short: number }): number {
  return process.env.LONG_TESTS === 'on' ? full : short;
}
