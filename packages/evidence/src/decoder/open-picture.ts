import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { PICTURE_MAX_PIXELS, PICTURE_MAX_SIDE } from '../structure/limits.ts';
import { RefusedFile } from './answer.ts';

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

/**
 * Reads the header of a picture without decoding it. The intake has already checked the structure; the decoder's library
 * must read the same.
 * @param format sharp's name of the format; a picture in another format is refused as damaged
 * @returns a function that opens the picture
 * @throws RefusedFile
 */
export async function openPicture(content: Uint8Array, format: string): Promise<() => Sharp> {
  // The library's own size check would not distinguish a large picture from a broken one.
  const header = await sharp(content, { ...OPENING, limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new RefusedFile('damaged');
    });
  const { width, height } = header;
  if (header.format !== format || width < 1 || height < 1) throw new RefusedFile('damaged');
  if (width * height > PICTURE_MAX_PIXELS || Math.max(width, height) > PICTURE_MAX_SIDE) {
    throw new RefusedFile('too_large');
  }
  return () => sharp(content, OPENING);
}
