import sharp, { type Sharp } from 'sharp';
import { HEIC_MAX_PIXELS, PICTURE_MIN_SIDE } from '../structure/limits.ts';
import { RefusedFile } from './answer.ts';
import { type HeicPixels, loadHeicLibrary } from './heic-package.ts';

const CHANNELS = 4;

/**
 * Decodes the primary picture of a HEIC, upright: the one that every program shows. The intake has already checked the largest picture of
 * the file, which may be another one. The pixels stay in the library's memory: a copy would need 100 MB more.
 * @returns a function that opens the pixels
 * @throws RefusedFile
 */
export async function openHeic(content: Uint8Array): Promise<() => Sharp> {
  const library = loadHeicLibrary();
  const picture = new library.HeifDecoder().decode(content).find((each) => each.is_primary());
  if (picture === undefined) throw new RefusedFile('damaged');
  const [width, height] = [picture.get_width(), picture.get_height()];
  if (!(width * height <= HEIC_MAX_PIXELS)) throw new RefusedFile('too_complex');
  if (Math.min(width, height) < PICTURE_MIN_SIDE) throw new RefusedFile('too_small');
  const { heif_colorspace, heif_chroma } = library;
  const [space, chroma] = [heif_colorspace.heif_colorspace_RGB, heif_chroma.heif_chroma_interleaved_RGBA];
  const pixels = await library.heif_js_decode_image2(picture.handle, space, chroma);
  if (pixels?.channels === undefined) throw new RefusedFile('damaged');
  const [channel] = pixels.channels;
  return () => opened({ ...pixels, channels: [channel] });
}

function opened({ channels: [{ data, width, height, stride }] }: Required<HeicPixels>): Sharp {
  const raw = { width: stride / CHANNELS, height, channels: CHANNELS } as const;
  return sharp(data, { raw }).extract({ left: 0, top: 0, width, height });
}
