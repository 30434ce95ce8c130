import type { Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { card, cardWithGlare, plain, scannedPage } from '../../test-support/pictures.ts';
import { warningsOf } from './picture-warnings.ts';

const warned = async (picture: Sharp): Promise<readonly string[]> =>
  warningsOf(await picture.jpeg({ quality: 85 }).toBuffer());

describe('picture warnings', () => {
  test('a sharp card and a scanned white page: no warning', async () => {
    expect(await warned(await card())).toEqual([]);
    expect(await warned(scannedPage())).toEqual([]);
  });
  test('a sharp card that is small in the picture: no warning', async () => {
    const small = await (await card()).resize(800).png().toBuffer();
    expect(await warned(plain(2400, 1800).composite([{ input: small }]))).toEqual([]);
  });
  test.each([4, 8, 16])('a picture blurred by %i pixels: blur', async (sigma) => {
    expect(await warned((await card()).blur(sigma))).toEqual(['blur']);
  });
  test('a lamp reflected in the card: glare', async () => {
    expect(await warned(await cardWithGlare())).toEqual(['glare']);
  });
});
