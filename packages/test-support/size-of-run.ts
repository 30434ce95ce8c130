/**
 * Checks whether cases belong to this run. Some tests have the same cases on several databases: `npm test` runs the `quick` ones,
 * `npm run test:rest` those for the `rest`, and every other run has both. tests/slower-tests.mjs lists these files.
 */
export function isInRun(place: 'quick' | 'rest'): boolean {
  const { SLOWER_TESTS } = process.env;
  if (SLOWER_TESTS === 'off') return place === 'quick';
  return SLOWER_TESTS !== 'only' || place === 'rest';
}
