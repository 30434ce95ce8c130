import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Computes the code that an authenticator app shows at a moment (RFC 6238, six digits, 30 s, SHA-1). */
export function codeOf(base32: string, at: Date): string {
  const bits = [...base32.replace(/=+$/, '')]
    .map((c) => ALPHABET.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)));
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Computes the code of the next 30 seconds, which is accepted too because clocks differ. */
export function nextCodeOf(base32: string, at: Date): string {
  return codeOf(base32, new Date(at.getTime() + 30_000));
}
