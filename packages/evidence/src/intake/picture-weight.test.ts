import { expect, test } from 'vitest';
import type { PictureStructure } from '../structure/picture-structure.ts';
import { weightOf } from './picture-weight.ts';

const picture = (structure: Partial<PictureStructure>): PictureStructure => ({
  width: 1920,
  height: 1440,
  heldBytes: 0,
  isCmyk: false,
  isAnimated: false,
  ...structure,
});

test.each<[string, Partial<PictureStructure>, string]>([
  ['a picture of a webcam', {}, 'small'],
  ['a photo of 12 megapixels', { width: 4032, height: 3024 }, 'light'],
  ['a photo of 16 megapixels', { width: 4608, height: 3456 }, 'heavy'],
  ['a WebP of 2.7 megapixels', { heldBytes: 1920 * 1440 * 4 }, 'light'],
  ['a WebP of 12 megapixels', { width: 4032, height: 3024, heldBytes: 4032 * 3024 * 4 }, 'heavy'],
  ['a picture in the colours of a printer', { isCmyk: true }, 'heavy'],
])('weight: %s is %s', (_, structure, weight) => {
  expect(weightOf(picture(structure))).toBe(weight);
});
