import * as domain from '@countersign/domain/evidence';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { PICTURE_MAX_PIXELS, PICTURE_MIN_SIDE } from '../structure/limits.ts';
import { redrawPicture } from './redraw-picture.ts';

test('redrawPicture: scales down a noisy picture that would exceed the size limit', async () => {
  const noise = await sharp({
    create: {
      width: 2500,
      height: 800,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
    .jpeg()
    .toBuffer();

  const open = () => sharp(noise);
  const usual = await redrawPicture(open, Number.POSITIVE_INFINITY);
  const less = await redrawPicture(open, usual.byteLength - 1);
  const least = await redrawPicture(open, less.byteLength - 1);

  expect((await sharp(usual).metadata()).width).toBe(2500);
  expect((await sharp(less).metadata()).width).toBe(2500);
  expect((await sharp(least).metadata()).width).toBe(2048);
});

test('redrawPicture: the decoder has the same limits of pixels as the domain', () => {
  expect({ PICTURE_MAX_PIXELS, PICTURE_MIN_SIDE }).toEqual({
    PICTURE_MAX_PIXELS: domain.PICTURE_MAX_PIXELS,
    PICTURE_MIN_SIDE: domain.PICTURE_MIN_SIDE,
  });
});
