import type { PictureStructure } from '../structure/picture-structure.ts';
import type { Weight } from './decode-queue.ts';

interface Bounds {
  readonly weight: Weight;
  readonly pixels: number;
  /** Memory for pixels that a decoder holds at once. WebP and progressive JPEG hold all, and take two to three times as long. */
  readonly heldBytes: number;
}

/** Measured: the longest of each weight take twice as long as the usual ones, 0.3 and 0.5 s of processor time. */
const BOUNDS: readonly Bounds[] = [
  // A webcam, or the camera as the page shows it.
  { weight: 'small', pixels: 4_000_000, heldBytes: 8_000_000 },
  // A photo of a phone.
  { weight: 'light', pixels: 12_500_000, heldBytes: 20_000_000 },
];

/** Estimates from its structure how long a picture takes to decode. */
export function weightOf({ width, height, heldBytes, isCmyk }: PictureStructure): Weight {
  if (isCmyk) return 'heavy';
  const fitting = BOUNDS.find((most) => width * height <= most.pixels && heldBytes <= most.heldBytes);
  return fitting?.weight ?? 'heavy';
}
