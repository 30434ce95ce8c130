import decodeQR from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { drawQr } from './qr-code.tsx';

const LINK = `https://verify.example/countersign/verify/0195f5a0-7a51-7c3e-9d2b-1f0a6f6f8a11.${'Ab9_-'.repeat(9)}`;
const SCALE = 4;

/** Black on white, as a browser paints the path. */
function paint({ size, path }: ReturnType<typeof drawQr>): { width: number; height: number; data: Uint8Array } {
  const width = size * SCALE;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row += 1) {
      const start = (row * width + Number(x) * SCALE) * 4;
      for (let at = start; at < start + Number(length) * SCALE * 4; at += 4) data.fill(0, at, at + 3);
    }
  }
  return { width, height: width, data };
}

describe('a drawn QR code', () => {
  it('decodes to its text', () => {
    expect(decodeQR(paint(drawQr(LINK)))).toBe(LINK);
  });

  it('a drawn QR code has four white modules on each side', () => {
    const { size, path } = drawQr(LINK);
    for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
      expect(Number(x)).toBeGreaterThanOrEqual(4);
      expect(Number(y)).toBeGreaterThanOrEqual(4);
      expect(Number(y)).toBeLessThan(size - 4);
      expect(Number(x) + Number(length)).toBeLessThanOrEqual(size - 4);
    }
  });
});
