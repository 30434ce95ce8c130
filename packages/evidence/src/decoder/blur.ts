import type { GreyPicture } from './grey-picture.ts';

/** Side of the squares looked at, in pixels. */
const TILE = 32;
/** Of the squares, the sharpest few count: a card on a bare table is sharp, however bare the table. */
const SHARPEST = 0.03;
/** Measured (docs/decisions/0014-evidence.md). */
const VARIANCE_MIN = 60;

/** Whether a picture is out of focus: even where it has most detail, neighbouring pixels hardly differ. */
export function isBlurred(picture: GreyPicture): boolean {
  return sharpnessOf(picture) < VARIANCE_MIN;
}

/** The variance of the Laplacian that the sharpest 3 % of all squares reach. 0 for a bare picture. */
function sharpnessOf(picture: GreyPicture): number {
  const variances: number[] = [];
  for (let top = 1; top < picture.height - 1; top += TILE) {
    for (let left = 1; left < picture.width - 1; left += TILE) variances.push(varianceAt(picture, left, top));
  }
  variances.sort((a, b) => b - a);
  return variances[Math.floor(variances.length * SHARPEST)] ?? 0;
}

function varianceAt({ pixels, width, height }: GreyPicture, left: number, top: number): number {
  let count = 0;
  let sum = 0;
  let squares = 0;
  const at = (index: number): number => pixels[index] ?? 0;
  for (let y = top; y < Math.min(top + TILE, height - 1); y++) {
    for (let x = left; x < Math.min(left + TILE, width - 1); x++) {
      const i = y * width + x;
      const laplacian = 4 * at(i) - at(i - 1) - at(i + 1) - at(i - width) - at(i + width);
      count++;
      sum += laplacian;
      squares += laplacian * laplacian;
    }
  }
  const mean = sum / count;
  return squares / count - mean * mean;
}
