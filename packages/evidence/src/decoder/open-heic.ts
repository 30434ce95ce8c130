import sharp, { type Sharp } from 'sharp';
import { HEIC_MAX_PIXELS } from '../structure/limits.ts';
import { RefusedFile } from './answer.ts';
import { loadHeicDecode } from './heic-package.ts';

const CHANNELS = 4;

/**
 * Decodes the first picture of a HEIC, upright. The intake has already checked the structure; the library must read the same.
 * @returns a function that opens the pixels
 * @throws RefusedFile
 */
export async function openHeic(content: Uint8Array): Promise<() => Sharp> {
  const { all } = loadHeicDecode();
  const damaged = (): never => {
    throw new RefusedFile('damaged');
  };
  const [picture = damaged()] = await all({ buffer: content }).catch(damaged);
  const { width, height } = picture;
  if (!(width * height <= HEIC_MAX_PIXELS)) throw new RefusedFile('too_complex');
  const { data } = await picture.decode().catch(damaged);
  const pixels = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return () => sharp(pixels, { raw: { width, height, channels: CHANNELS } });
}
