import { expect, it } from 'vitest';
import { versionedSecrets, versionOf } from './secrets.ts';

const keyOf = (byte: number): Uint8Array => Buffer.alloc(32, byte);

it('secrets: each key has one secret, newest first, whatever its place in the ring', () => {
  const ring = versionedSecrets([keyOf(1), keyOf(2), keyOf(1)]);
  expect(ring).toHaveLength(2);
  expect(versionedSecrets([keyOf(2), keyOf(1)])).toEqual(ring.toReversed());
  for (const { version, value } of ring) {
    expect(versionOf(`$ba$${version}$00`)).toBe(version);
    expect(Buffer.from(value, 'base64url')).toHaveLength(32);
  }
});

it('secrets: a ring without a key is refused', () => {
  expect(() => versionedSecrets([])).toThrow('accounts need at least one secret key');
});

it.each(['', 'text', 'x$ba$1$00', '$ba$$00', '$ba$1x$00', '$ba$1'])('secrets: %j names no version', (text) => {
  expect(versionOf(text)).toBeNaN();
});
