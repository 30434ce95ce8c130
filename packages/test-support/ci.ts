/** Whether this run decides something: there a test that does not run counts as one that fails. */
export function isCi(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { CI } = environment;
  return CI !== undefined && CI !== '' && CI !== '0' && CI !== 'false';
}
