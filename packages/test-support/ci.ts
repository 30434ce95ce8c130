/** Checks whether the tests run in CI, where a skipped test counts as a failure. */
export function isCi(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { CI } = environment;
  return CI !== undefined && CI !== '' && CI !== '0' && CI !== 'false';
}
