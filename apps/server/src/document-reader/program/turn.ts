import type { GreyPicture } from '@countersign/reading';

const RADIANS = Math.PI / 180;
/** Each grey value as a pixel of three equal colours. */
const GREY = 0x01_01_01;
const OPAQUE = 0xff_00_00_00;
const WHITE = 0xff_ff_ff_ff;

/** A picture of four bytes a pixel, as an `ImageData` of a browser. */
export interface ColourPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly colorSpace: 'srgb';
}

/**
 * Returns a picture turned by an angle about its middle, in colours, as decoders of barcodes take it. Its size stays: corners are cut off,
 * and what lay outside is white. Pixels are the mean of the four around them.
 * @param angle in degrees, clockwise
 */
export function turned({ width, height, data }: GreyPicture, angle: number): ColourPicture {
  const pixels = new Uint32Array(width * height).fill(WHITE);
  const [cos, sin] = [Math.cos(angle * RADIANS), Math.sin(angle * RADIANS)];
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
  for (let y = 0; y < height; y += 1) {
    let sourceX = middleX - cos * middleX + sin * (y - middleY);
    let sourceY = middleY + sin * middleX + cos * (y - middleY);
    for (let x = 0; x < width; x += 1) {
      if (sourceX >= 0 && sourceY >= 0 && sourceX < width && sourceY < height) {
        // `| 0` cuts the fraction off, in half the time of Math.trunc.
        const left = sourceX | 0;
        const top = sourceY | 0;
        const index = top * width + left;
        const right = left + 1 < width ? index + 1 : index;
        const below = top + 1 < height ? width : 0;
        const dx = sourceX - left;
        const upper = (data[index] ?? 0) * (1 - dx) + (data[right] ?? 0) * dx;
        const lower = (data[index + below] ?? 0) * (1 - dx) + (data[right + below] ?? 0) * dx;
        pixels[y * width + x] = OPAQUE | (((upper + (lower - upper) * (sourceY - top) + 0.5) | 0) * GREY);
      }
      sourceX += cos;
      sourceY -= sin;
    }
  }
  return { width, height, data: new Uint8ClampedArray(pixels.buffer), colorSpace: 'srgb' };
}
