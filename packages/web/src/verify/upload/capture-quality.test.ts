import { describe, expect, it } from 'vitest';

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

// Modules of pages are checked with the types of a browser, by a configuration of their own.
const module = new URL('../../../assets/capture-quality.js', import.meta.url).href;
const { flawOf } = (await import(module)) as { flawOf(picture: Picture): 'blur' | 'glare' | null };

const WIDTH = 480;
const HEIGHT = 360;

/** A picture of the grey values that `grey` gives. */
function picture(grey: (x: number, y: number) => number): Picture {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  for (let at = 0; at < WIDTH * HEIGHT; at += 1) {
    data.fill(grey(at % WIDTH, Math.floor(at / WIDTH)), at * 4, at * 4 + 3);
    data[at * 4 + 3] = 255;
  }
  return { width: WIDTH, height: HEIGHT, data };
}

/** Lines of dark words on light paper. */
const print = (x: number, y: number) => (y % 18 < 9 && (x * 7 + (y % 18) * 3) % 11 < 4 ? 40 : 215);

/** The same, as a lens out of focus sees it. */
function blurred(x: number, y: number): number {
  let sum = 0;
  for (let dy = -6; dy <= 6; dy += 1) for (let dx = -6; dx <= 6; dx += 1) sum += print(x + dx + 20, y + dy + 18);
  return sum / 169;
}

const inSpot = (x: number, y: number) => Math.hypot(x - 240, y - 180) < 90;

describe('the check of a picture before it is sent', () => {
  it('accepts sharp print', () => {
    expect(flawOf(picture(print))).toBeNull();
  });

  it('detects blur', () => {
    expect(flawOf(picture(blurred))).toBe('blur');
  });

  it('detects glare', () => {
    expect(flawOf(picture((x, y) => (inSpot(x, y) ? 255 : print(x, y))))).toBe('glare');
  });

  it('accepts white paper: it is no glare', () => {
    expect(flawOf(picture((x, y) => (print(x, y) > 100 ? 255 : 40)))).toBeNull();
  });

  it('accepts a picture without a pixel', () => {
    expect(flawOf({ width: 0, height: 0, data: new Uint8ClampedArray(0) })).toBe('blur');
  });
});
