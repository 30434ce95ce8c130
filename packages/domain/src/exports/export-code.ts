import type { Secrets } from '../runtime.ts';

/** Crockford's base32: without I, L, O and U, which are easily misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;
const BITS = 5;

/** Makes a code of 50 random bits, as it is shown: `XXXXX-XXXXX`. */
export function newExportCode({ randomHex }: Pick<Secrets, 'randomHex'>): string {
  // 7 bytes have 56 bits.
  let bits = BigInt(`0x${randomHex(7)}`);
  let code = '';
  for (let count = 0; count < LENGTH; count += 1) {
    code += ALPHABET.charAt(Number(bits % 32n));
    bits >>= BigInt(BITS);
  }
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** Returns the characters of a code that a person entered: without spaces and hyphens, and with misread letters as digits. */
function normalCode(entered: string): string {
  return entered
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
}

/** Makes the keyed hash by which a code is stored. It holds for one export only. */
export function hashOfCode({ sign }: Pick<Secrets, 'sign'>, exportId: string, code: string): string {
  return sign(signedText(exportId, code));
}

/** Whether an entered code has this hash. Compares in constant time. */
export function isCode(
  { verify }: Pick<Secrets, 'verify'>,
  { exportId, codeHash }: { exportId: string; codeHash: string },
  entered: string,
): boolean {
  return verify(signedText(exportId, entered), codeHash);
}

function signedText(exportId: string, code: string): string {
  return `export-code.${exportId}.${normalCode(code)}`;
}
