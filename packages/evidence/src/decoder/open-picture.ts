import sharp, { type SharpOptions } from 'sharp';
import { RefusedPicture } from './answer.ts';
import { PICTURE_MAX_PIXELS, PICTURE_MAX_SIDE, WHOLE_MAX_BYTES } from './limits.ts';

/**
 * How pictures are opened. `error` finds what is cut off and what cannot be decoded; `warning` would also refuse what
 * the cameras of some phones write, such as padding before the end.
 */
export const OPENING: SharpOptions = {
  failOn: 'error',
  limitInputPixels: PICTURE_MAX_PIXELS,
  limitInputChannels: 5,
  sequentialRead: true,
};

/** How a picture can be redrawn: line by line, or only with all of it in memory. */
export type Reading = 'by_line' | 'whole';

/**
 * Reads the header of a picture without decoding it.
 * @param format sharp's name of the format; a picture in another format is refused as damaged
 * @throws RefusedPicture
 */
export async function openPicture(content: Uint8Array, format: string): Promise<Reading> {
  // The library's own size check would not distinguish a large picture from a broken one.
  const header = await sharp(content, { ...OPENING, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new RefusedPicture('damaged');
    });
  const { width, height } = header;
  if (header.format !== format || width < 1 || height < 1) throw new RefusedPicture('damaged');
  if (width * height > PICTURE_MAX_PIXELS || Math.max(width, height) > PICTURE_MAX_SIDE) {
    throw new RefusedPicture('too_large');
  }
  if (format !== 'webp' && !header.isProgressive) return 'by_line';
  if (wholeBytes(header, format) > WHOLE_MAX_BYTES) throw new RefusedPicture('too_heavy');
  return 'whole';
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly depth: string;
  readonly chromaSubsampling?: string | undefined;
}

/** What the library holds: a progressive JPEG as coefficients of two bytes, a WebP with four bytes a pixel. */
function wholeBytes({ width, height, channels, depth, chromaSubsampling }: Header, format: string): number {
  const pixels = width * height;
  if (format === 'jpeg') return pixels * 2 * (chromaSubsampling === '4:2:0' ? 1.5 : channels);
  if (format === 'webp') return pixels * 4;
  return pixels * channels * (depth === 'ushort' ? 2 : 1);
}
