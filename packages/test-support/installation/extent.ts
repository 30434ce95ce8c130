/**
 * The size of a test that takes long: `npm run test:long` runs it in full, `npm test` in a short form. The short form
 * covers less: it asserts the same of fewer cases, and misses what only the others would show. Pages are looked at in
 * one language, in two of four looks, by all rules in one look alone, and of refused forms only one of each kind;
 * elsewhere there are fewer verifications, rows and kills, and shorter outages.
 */
export function extent({ full, short }: { readonly full: number; readonly short: number }): number {
  return process.env.LONG_TESTS === 'on' ? full : short;
}
