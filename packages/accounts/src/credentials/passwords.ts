import { passwordLengthRefusal } from '@countersign/domain/staff';
import { scoreOf } from './password-estimator.ts';

export type PasswordRefusal = 'too_short' | 'too_long' | 'too_common';

/**
 * Minimum score of zxcvbn, of 4. A password with a lower score is found within 10 billion guesses: common passwords, one to
 * three English and German words, names, and their variations, such as a word, a year and a mark.
 */
const SCORE_NEEDED = 4;

/**
 * Returns why a new password is refused; null if it is accepted. Checks the length and refuses common and expected
 * passwords, without rules of composition (NIST SP 800-63B-4, section 3.1.1.2).
 * @param expected obvious guesses: e-mail address, name, names of the service and of the user's client
 */
export async function passwordRefusal(
  password: string,
  expected: readonly string[],
): Promise<PasswordRefusal | null> {
  const ofLength = passwordLengthRefusal(password);
  if (ofLength !== null) return ofLength;
  const score = await scoreOf({ password, expected: expected.flatMap(wordsOf) });
  return score < SCORE_NEEDED ? 'too_common' : null;
}

function wordsOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length > 2);
}

/** Hashes and compares passwords. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(input: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

/**
 * better-auth's password hash: scrypt with N = 16384, r = 16, p = 1 and a salt of 16 bytes, of the password in Unicode
 * NFKC. A hash takes 32 MB and does not block the event loop. The library is loaded with the first password.
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
