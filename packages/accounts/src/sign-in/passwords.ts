import { PASSWORD_MAX, PASSWORD_MIN } from '@countersign/domain';

export type PasswordRefusal = 'too_short' | 'too_long' | 'too_common';

/** What zxcvbn scores below this (of 4) is found within 100 million guesses: a list of common passwords and its variations. */
const SCORE_NEEDED = 3;

/**
 * So many characters are estimated. What follows makes no password weaker, and the time grows much faster than the
 * length: 128 characters made for it hold everybody up for 3 seconds.
 */
const ESTIMATED_MAX = 48;

/**
 * Why a new password is refused; null where it is not (NIST SP 800-63B-4, section 3.1.1.2: length, and no common or
 * expected one; no rules of composition).
 * @param expected obvious guesses: e-mail address, name, the service's name
 */
export async function passwordRefusal(
  password: string,
  expected: readonly string[],
): Promise<PasswordRefusal | null> {
  const length = [...password].length;
  if (length < PASSWORD_MIN) return 'too_short';
  // better-auth counts in units of UTF-16; what is refused here must not be more than it takes.
  if (password.length > PASSWORD_MAX) return 'too_long';
  loaded ??= load();
  const { check } = await loaded;
  return check(password, expected.flatMap(wordsOf)).score < SCORE_NEEDED ? 'too_common' : null;
}

type Estimator = Awaited<ReturnType<typeof load>>;

let loaded: Promise<Estimator> | undefined;

/** The lists are half a megabyte: they come when the first password is set. */
async function load(): Promise<{ check(password: string, expected: string[]): { score: number } }> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: ESTIMATED_MAX });
  return { check: (password, expected) => zxcvbn.check(password, expected) };
}

function wordsOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
}

/** How passwords are hashed and compared. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(input: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

/**
 * better-auth's own: scrypt with N = 16384, r = 16, p = 1 and a salt of 16 bytes, of the password in Unicode's NFKC.
 * It takes 32 MB and does not hold up the event loop. The library is loaded when the first password comes.
 */
export function createPasswords(): Passwords {
  return {
    async hash(password) {
      const { hashPassword } = await import('better-auth/crypto');
      return hashPassword(password);
    },
    async verify(input) {
      const { verifyPassword } = await import('better-auth/crypto');
      return verifyPassword(input);
    },
  };
}
