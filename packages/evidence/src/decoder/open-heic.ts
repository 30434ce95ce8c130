import sharp, { type Sharp } from 'sharp';
import { HEIC_MAX_PIXELS, PICTURE_MIN_SIDE } from '../structure/limits.ts';
import { RefusedFile } from './answer.ts';
import { loadHeicLibrary } from './heic-package.ts';

const CHANNELS = 4;

/**
 * Decodes the primary picture of a HEIC, upright: the one that every program shows. The intake has already checked the largest picture of
 * the file, which may be another one.
 * @returns a function that opens the pixels
 * @throws RefusedFile
 */
export async function openHeic(content: Uint8Array): Promise<() => Sharp> {
  const { HeifDecoder } = loadHeicLibrary();
  const picture = new HeifDecoder().decode(content).find((each) => each.is_primary());
  if (picture === undefined) throw new RefusedFile('damaged');
  const [width, height] = [picture.get_width(), picture.get_height()];
  if (!(width * height <= HEIC_MAX_PIXELS)) throw new RefusedFile('too_complex');
  if (Math.min(width, height) < PICTURE_MIN_SIDE) throw new RefusedFile('too_small');
  const pixels = new Uint8ClampedArray(width * height * CHANNELS);
  const isDecoded = await new Promise<boolean>((resolve) => {
    picture.display({ data: pixels, width, height }, (decoded) => resolve(decoded !== null));
  });
  if (!isDecoded) throw new RefusedFile('damaged');
  return () => sharp(pixels, { raw: { width, height, channels: CHANNELS } });
}
