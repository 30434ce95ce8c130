import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
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

const SALT_BYTES = 16;
const KEY_BYTES = 64;
const COST: ScryptOptions = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 };

/**
 * Hashes with scrypt, with the password in Unicode NFKC: `salt:key`, both in hexadecimal digits. The salt is the text of its digits. A
 * hash takes 32 MB and does not block the event loop.
 */
export function createPasswords(): Passwords {
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES).toString('hex');
      return `${salt}:${(await keyOf(password, salt)).toString('hex')}`;
    },
    async verify({ hash, password }) {
      const [salt = '', digits = ''] = hash.split(':');
      const key = Buffer.from(digits, 'hex');
      return key.length === KEY_BYTES && timingSafeEqual(key, await keyOf(password, salt));
    },
  };
}

async function keyOf(password: string, salt: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(password.normalize('NFKC'), salt, KEY_BYTES, COST, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}
