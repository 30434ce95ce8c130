import sharp from 'sharp';
import type { Answer } from './answer.ts';

type PictureWarning = Extract<Answer, { outcome: 'drawn' }>['warnings'][number];

/** Longest side, in pixels, of the picture analysed: small print stays distinguishable, while noise and JPEG grain vanish. */
const SIDE = 1024;

/** Returns warnings about a picture that may be hard to read. */
export async function warningsOf(content: Uint8Array): Promise<readonly PictureWarning[]> {
  const { data, info } = await sharp(content)
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture: GreyPicture = { pixels: data, width: info.width, height: info.height };
  const warnings: PictureWarning[] = [];
  if (isBlurred(picture)) warnings.push('blur');
  if (hasGlare(picture)) warnings.push('glare');
  return warnings;
}

/** Brightness (0 to 255) from which a spot is unreadable. */
const BRIGHT = 250;
/** Minimum and maximum share of the picture for a reflection. A larger spot is white paper. */
const SHARE_MIN = 0.008;
const SHARE_MAX = 0.3;

/**
 * Whether the picture shows a reflection: a white spot that does not touch the edge. White at the edge is the background
 * of a scan, or a window.
 */
function hasGlare({ pixels, width, height }: GreyPicture): boolean {
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

/** Side of the analysed squares, in pixels. */
const TILE = 32;
/** Share of squares that decides: a card on a bare table is sharp although most squares are bare. */
const SHARPEST = 0.03;
/** Variance below which a picture is blurred, measured (docs/decisions/0014-evidence.md). */
const VARIANCE_MIN = 60;

/** Whether a picture is out of focus: even where it has most detail, neighbouring pixels hardly differ. */
function isBlurred(picture: GreyPicture): boolean {
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

/** A greyscale picture, one byte per pixel, row by row. */
interface GreyPicture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}
