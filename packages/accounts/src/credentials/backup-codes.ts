import { randomInt } from 'node:crypto';

/** Digits and letters of one case without those that look alike: 0 and o, 1, i and l. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

const CODES = 10;
const GROUP = 5;

/** Makes backup codes such as `k7mqp-2xw9d`, with 49 bits each. A user gets five wrong codes in 15 minutes. */
export function newBackupCodes(): string[] {
  const group = (): string => Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: CODES }, () => `${group()}-${group()}`);
}

/** Returns a backup code as it was made, from one typed in capitals or without the hyphen. */
export function normalBackupCode(typed: string): string {
  const plain = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return plain.length === 2 * GROUP ? `${plain.slice(0, GROUP)}-${plain.slice(GROUP)}` : typed;
}
