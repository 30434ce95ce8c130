import type { GreyPicture } from './grey-picture.ts';

/** From this brightness of 255 on, nothing is to be read any more. */
const BRIGHT = 250;
/** The share of the picture that one bright spot has at least, and at most: more is white paper. */
const SHARE_MIN = 0.008;
const SHARE_MAX = 0.3;

/**
 * Whether a light is reflected: a white spot that lies within the picture. White that reaches its edge is the background
 * of a scan or a window.
 */
export function hasGlare({ pixels, width, height }: GreyPicture): boolean {
  const seen = new Uint8Array(pixels.length);
  const isBright = (i: number): boolean => (pixels[i] ?? 0) >= BRIGHT && seen[i] === 0;
  const open: number[] = [];

  for (let start = 0; start < pixels.length; start++) {
    if (!isBright(start)) continue;
    let size = 0;
    let touchesEdge = false;
    const visit = (i: number): void => {
      if (!isBright(i)) return;
      seen[i] = 1;
      open.push(i);
    };
    visit(start);
    for (let i = open.pop(); i !== undefined; i = open.pop()) {
      const x = i % width;
      const y = (i - x) / width;
      size++;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) touchesEdge = true;
      if (x > 0) visit(i - 1);
      if (x < width - 1) visit(i + 1);
      if (y > 0) visit(i - width);
      if (y < height - 1) visit(i + width);
    }
    const share = size / pixels.length;
    if (!touchesEdge && share >= SHARE_MIN && share <= SHARE_MAX) return true;
  }
  return false;
}
