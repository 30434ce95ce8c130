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

/** A rectangle in a picture that is turned. */
export interface Region {
  /** Its middle in pixels. */
  readonly x: number;
  readonly y: number;
  /** Its sides in pixels, along the directions in which it is turned. */
  readonly width: number;
  readonly height: number;
  /** Degrees, clockwise. */
  readonly angle: number;
}

/** How much larger the pixels of a region are drawn, across and down. */
export interface Scale {
  readonly across: number;
  readonly down: number;
}

/**
 * Returns a region of a picture turned upright, in colours, as decoders of barcodes take it. What lies outside the picture is white. Pixels
 * are the mean of the four around them.
 */
export function cut({ width, height, data }: GreyPicture, region: Region, { across, down }: Scale): ColourPicture {
  const [columns, rows] = [Math.round(region.width * across), Math.round(region.height * down)];
  const pixels = new Uint32Array(columns * rows).fill(WHITE);
  const [cos, sin] = [Math.cos(region.angle * RADIANS), Math.sin(region.angle * RADIANS)];
  const left = (0.5 - columns / 2) / across;
  for (let row = 0; row < rows; row += 1) {
    const top = (row + 0.5 - rows / 2) / down;
    let x = region.x - 0.5 + cos * left - sin * top;
    let y = region.y - 0.5 + sin * left + cos * top;
    for (let column = 0; column < columns; column += 1) {
      if (x >= 0 && y >= 0 && x < width && y < height) {
        // `| 0` cuts the fraction off, in half the time of Math.trunc.
        const wholeX = x | 0;
        const wholeY = y | 0;
        const index = wholeY * width + wholeX;
        const right = wholeX + 1 < width ? index + 1 : index;
        const below = wholeY + 1 < height ? width : 0;
        const rest = x - wholeX;
        const upper = (data[index] ?? 0) * (1 - rest) + (data[right] ?? 0) * rest;
        const lower = (data[index + below] ?? 0) * (1 - rest) + (data[right + below] ?? 0) * rest;
        pixels[row * columns + column] = OPAQUE | (((upper + (lower - upper) * (y - wholeY) + 0.5) | 0) * GREY);
      }
      x += cos / across;
      y += sin / across;
    }
  }
  return { width: columns, height: rows, data: new Uint8ClampedArray(pixels.buffer), colorSpace: 'srgb' };
}
