import sharp from 'sharp';
import { RefusedFile } from './answer.ts';
import { OPENING } from './open-picture.ts';

/** The bounds of a logo. */
export interface LogoBounds {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

export interface DrawnLogo {
  readonly content: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Attempts in turn: the share of the bounds, and whether 256 colours must do. The last one fits for any content. */
const ATTEMPTS = [
  { share: 1, palette: false },
  { share: 1, palette: true },
  { share: 0.5, palette: true },
] as const;

/**
 * Redraws a logo as PNG in sRGB: upright, with its transparency, never larger than it was. Keeps only visible content, as `redrawPicture` does.
 * @throws RefusedFile
 */
export async function drawLogo(content: Uint8Array, bounds: LogoBounds): Promise<DrawnLogo> {
  let drawn = await draw(content, bounds, ATTEMPTS[0]);
  for (const attempt of ATTEMPTS) {
    if (drawn.content.byteLength <= bounds.bytes) break;
    drawn = await draw(content, bounds, attempt);
  }
  return drawn;
}

async function draw(
  content: Uint8Array,
  { width, height }: LogoBounds,
  { share, palette }: (typeof ATTEMPTS)[number],
): Promise<DrawnLogo> {
  const picture = sharp(content, OPENING)
    .autoOrient()
    .resize({ width: width * share, height: height * share, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9, palette });
  try {
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    return { content: data, width: info.width, height: info.height };
  } catch {
    throw new RefusedFile('damaged');
  }
}
