import sharp from 'sharp';
import type { Answer } from './answer.ts';
import { isBlurred } from './blur.ts';
import { hasGlare } from './glare.ts';
import type { GreyPicture } from './grey-picture.ts';

type PictureWarning = Extract<Answer, { outcome: 'drawn' }>['warnings'][number];

/** Large enough to tell sharp small print from blurred, small enough that noise and grain of JPEG vanish. */
const SIDE = 1024;

/** What makes a picture hard to read. */
export async function warningsOf(content: Uint8Array): Promise<readonly PictureWarning[]> {
  const { data, info } = await sharp(content)
    .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture: GreyPicture = { pixels: data, width: info.width, height: info.height };
  const warnings: PictureWarning[] = [];
  if (isBlurred(picture)) warnings.push('blur');
  if (hasGlare(picture)) warnings.push('glare');
  return warnings;
}
