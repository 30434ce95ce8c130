import { expect, it } from 'vitest';
import { freshRandomBytes } from './random-bytes.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

it('freshRandomBytes: returns as many bytes as asked for, never the same twice', () => {
  const drawn = Array.from({ length: 2_000 }, (_, n) => (n % 3 === 0 ? 32 : 12)).map((count) => {
    const bytes = freshRandomBytes(count);
    expect(bytes.byteLength).toBe(count);
    return hexOf(bytes);
  });
  expect(new Set(drawn).size).toBe(drawn.length);
  // The first bytes alone differ too, so no part of a pool is given twice.
  expect(new Set(drawn.map((hex) => hex.slice(0, 16))).size).toBe(drawn.length);
});

it('freshRandomBytes: returns 4,096 bytes, from a used pool and from a fresh one', () => {
  for (const count of [1, 4_096, 4_096, 1]) {
    const bytes = freshRandomBytes(count);
    expect(bytes.byteLength).toBe(count);
    if (count > 1) expect(new Set(bytes).size).toBeGreaterThan(200);
  }
});

it('freshRandomBytes: later calls do not change bytes that were returned', () => {
  const bytes = freshRandomBytes(32);
  const before = hexOf(bytes);
  for (let n = 0; n < 1_000; n += 1) freshRandomBytes(32);
  expect(hexOf(bytes)).toBe(before);
});
