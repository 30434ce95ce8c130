import { describe, expect, it } from 'vitest';
import { barcodeRegions } from './barcode-regions.ts';

/** Draws a picture by the grey value of each pixel. */
function drawn(width: number, height: number, greyAt: (x: number, y: number) => number) {
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height }, (_, i) => greyAt(i % width, Math.floor(i / width))),
  };
}

/** Draws bars of 4 pixels, 300 pixels across and 120 down, about the middle of a picture of 640 × 480. */
function bars(angle: number) {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  return drawn(640, 480, (x, y) => {
    const across = (x - 320) * cos + (y - 240) * sin;
    const down = (y - 240) * cos - (x - 320) * sin;
    const isInside = Math.abs(across) < 150 && Math.abs(down) < 60;
    return isInside && Math.floor(across / 4) % 2 === 0 ? 20 : 220;
  });
}

describe('regions of a picture that may be a barcode', () => {
  it.each([0, 3, -12, 20, 45, -70])('bars turned by %d° are found with their angle', (angle) => {
    const [region] = barcodeRegions(bars(angle));
    expect(Math.abs((region?.angle ?? 99) - angle)).toBeLessThan(1.5);
    expect(Math.abs((region?.x ?? 0) - 320)).toBeLessThan(12);
    expect(Math.abs((region?.y ?? 0) - 240)).toBeLessThan(12);
    expect(region?.width).toBeGreaterThan(300);
    expect(region?.width).toBeLessThan(380);
    expect(region?.height).toBeGreaterThan(120);
    expect(region?.height).toBeLessThan(200);
  });

  it('horizontal bars are turned by 90 degrees', () => {
    expect(Math.abs(barcodeRegions(bars(90))[0]?.angle ?? 0)).toBeCloseTo(90, 0);
  });

  it.each([
    ['a picture of one colour', drawn(320, 240, () => 128)],
    ['a picture smaller than a cell', drawn(10, 10, (x) => x * 20)],
    ['a picture without pixels', drawn(0, 0, () => 0)],
    ['noise', drawn(320, 240, (x, y) => (x * 7919 + y * 104_729 + ((x * y) % 251) * 31) % 256)],
  ])('%s has none, or few', (_, picture) => {
    expect(barcodeRegions(picture).length).toBeLessThanOrEqual(4);
  });
});
