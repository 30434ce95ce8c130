/** A part that follows itself in any case, with up to three marks between. Shorter parts repeat by chance in random passwords. */
const REPEATED = /(?<part>.{3,}?)(?:[^\p{L}\p{N}]{0,3}\k<part>)+/gisu;

/** Marks between the last part and its beginning at the end of a password. */
const MARKS = /^[^\p{L}\p{N}]{0,3}/u;

/**
 * Returns a password with each repeated part once: an attacker repeats what they guess. zxcvbn sees repeats only in the characters
 * that it estimates, and takes the beginning of a part at their end for random characters.
 */
export function withoutRepeats(password: string): string {
  const shorter = withoutOneLevel(password);
  return shorter === password ? password : withoutRepeats(shorter);
}

function withoutOneLevel(password: string): string {
  let kept = '';
  let from = 0;
  for (const { 0: run, index, groups: { part = '' } = {} } of password.matchAll(REPEATED)) {
    kept += password.slice(from, index) + part;
    from = index + run.length;
    const rest = password.slice(from).replace(MARKS, '');
    if (rest !== '' && part.toLowerCase().startsWith(rest.toLowerCase())) return kept;
  }
  return kept + password.slice(from);
}
