import { type EvidenceContentType, PICTURE_MIN_SIDE } from '@countersign/domain/evidence';
import {
  type AcceptedTypes,
  fileTooComplex,
  fileTypeRefused,
  pictureTooLarge,
  pictureTooSmall,
} from '../refusals.ts';
import { structureOfHeic } from './heic.ts';
import { structureOfJpeg } from './jpeg.ts';
import { CMYK_MAX_PIXELS, HELD_MAX_BYTES, PICTURE_MAX_PIXELS, PICTURE_MAX_SIDE } from './limits.ts';
import type { PictureStructure } from './picture-structure.ts';
import { structureOfPng } from './png.ts';
import { structureOfWebp } from './webp.ts';

/** Content types of pictures. */
export type PictureType = Exclude<EvidenceContentType, 'application/pdf'> | 'image/heic';

const READERS: Readonly<Record<PictureType, (content: Uint8Array) => PictureStructure>> = {
  'image/jpeg': structureOfJpeg,
  'image/png': structureOfPng,
  'image/webp': structureOfWebp,
  'image/heic': structureOfHeic,
};

const ANIMATED: Readonly<Record<PictureType, string>> = {
  'image/jpeg': 'An animated JPEG picture',
  'image/png': 'An animated PNG picture',
  'image/webp': 'An animated WebP picture',
  'image/heic': 'An animated HEIC picture',
};

/**
 * Checks a picture by its structure, without decoding it: takes milliseconds whatever the file claims.
 * @throws CountersignError `FILE_TYPE_REFUSED` for an animated picture, `PICTURE_TOO_LARGE`, `FILE_TOO_COMPLEX`, `FILE_DAMAGED`
 */
export function checkStructure(content: Uint8Array, type: PictureType, accepted: AcceptedTypes): PictureStructure {
  const structure = READERS[type](content);
  const { width, height, heldBytes, isCmyk, isAnimated } = structure;
  if (isAnimated) throw fileTypeRefused(ANIMATED[type], accepted);
  const pixels = width * height;
  if (pixels > PICTURE_MAX_PIXELS) throw pictureTooLarge();
  const side = Math.max(width, height);
  if (side > PICTURE_MAX_SIDE || heldBytes > HELD_MAX_BYTES || (isCmyk && pixels > CMYK_MAX_PIXELS))
    throw fileTooComplex('picture');
  return structure;
}

/** @throws CountersignError `PICTURE_TOO_SMALL` for a picture on which small print is not readable */
export function requireReadable({ width, height }: PictureStructure): void {
  if (Math.min(width, height) < PICTURE_MIN_SIDE) throw pictureTooSmall();
}
