import type { Sharp } from 'sharp';
import { RefusedFile } from './answer.ts';

interface Size {
  /** Maximum length of the longer side, in pixels. */
  readonly side: number;
  readonly quality: number;
}

/** A4 at 350 dpi, and a photo of 12 megapixels without scaling. */
const USUAL: Size = { side: 4096, quality: 90 };
/** Smaller sizes for a noisy picture that would exceed the limit. The last one fits for any content. */
const SMALLER: readonly Size[] = [
  { side: 3072, quality: 85 },
  { side: 2048, quality: 75 },
];

/**
 * Redraws a picture as JPEG in sRGB: upright, on white, at most 4096 pixels long. Keeps only visible content: no
 * metadata, profile, comment or bytes after the end.
 * @param open opens the picture, each time that it is drawn
 * @param maxBytes maximum size of the new picture
 * @throws RefusedFile
 */
export async function redrawPicture(open: () => Sharp, maxBytes: number): Promise<Uint8Array> {
  let drawn = await draw(open(), USUAL);
  for (const size of SMALLER) {
    if (drawn.byteLength <= maxBytes) break;
    drawn = await draw(open(), size);
  }
  return drawn;
}

async function draw(source: Sharp, { side, quality }: Size): Promise<Uint8Array> {
  const picture = source
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    // Whole colours keep small print readable. The better coding would hold the whole picture in memory.
    .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: false });
  try {
    return await picture.toBuffer();
  } catch {
    throw new RefusedFile('damaged');
  }
}
