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
