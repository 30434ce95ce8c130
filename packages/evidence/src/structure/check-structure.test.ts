// Builds files that would overload a decoder.
import type { ErrorCode } from '@countersign/domain';
import { isCountersignError } from '@countersign/domain';
import {
  jpegOfFrame,
  jpegOfScans,
  jpegOfSegments,
  jpegOfSize,
} from '@countersign/test-support/attack-files/jpeg-files';
import {
  animatedPngOf,
  pngInflatingTo,
  pngOf,
  pngOfChunks,
  pngOfPixelChunks,
} from '@countersign/test-support/attack-files/png-files';
import { animatedWebpOf, webpOfChunks, webpOfSize } from '@countersign/test-support/attack-files/webp-files';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { heic, heicOfSize, heicWithBoxes } from '../../test-support/heic.ts';
import { card } from '../../test-support/pictures.ts';
import { checkStructure, type PictureType } from './check-structure.ts';
import type { PictureStructure } from './picture-structure.ts';

const check = (content: Uint8Array, type: PictureType): PictureStructure =>
  checkStructure(content, type, { pdf: false });

function codeOf(content: Uint8Array, type: PictureType): ErrorCode | 'accepted' {
  try {
    check(content, type);
    return 'accepted';
  } catch (error) {
    if (isCountersignError(error)) return error.code;
    throw error;
  }
}

const MEBIBYTE = 1024 * 1024;
const ANY_SIZE = { width: 64, height: 48 };

describe('a file that would overload a decoder is refused before decoding', () => {
  test.each<[string, PictureType, ErrorCode, () => Promise<Uint8Array>]>([
    ['a JPEG of 110,000 scans', 'image/jpeg', 'FILE_TOO_COMPLEX', () => jpegOfScans(110_000)],
    ['a small JPEG of 4,000 scans', 'image/jpeg', 'FILE_TOO_COMPLEX', () => jpegOfScans(4000, ANY_SIZE)],
    ['a JPEG of a million segments', 'image/jpeg', 'FILE_TOO_COMPLEX', () => jpegOfSegments(1_000_000)],
    ['a JPEG with arithmetic coding', 'image/jpeg', 'FILE_TOO_COMPLEX', () => jpegOfFrame(0xc9)],
    ['a JPEG that claims 4 gigapixels', 'image/jpeg', 'PICTURE_TOO_LARGE', () => jpegOfSize(65_000, 65_000)],
    ['a PNG of 100,000 texts', 'image/png', 'FILE_TOO_COMPLEX', () => pngOfChunks(100_000)],
    ['a PNG of 100,000 chunks of pixels', 'image/png', 'FILE_TOO_COMPLEX', () => pngOfPixelChunks(100_000)],
    ['a PNG text that inflates to 4 GB', 'image/png', 'FILE_TOO_COMPLEX', () => pngInflatingTo(2 ** 32, 'zTXt')],
    ['the same in another language', 'image/png', 'FILE_TOO_COMPLEX', () => pngInflatingTo(2 ** 32, 'iTXt')],
    [
      'a PNG profile that inflates to 4 GB',
      'image/png',
      'FILE_TOO_COMPLEX',
      () => pngInflatingTo(2 ** 32, 'iCCP'),
    ],
    ['an animated PNG of 10,000 frames', 'image/png', 'FILE_TOO_COMPLEX', () => animatedPngOf(10_000)],
    ['an animated PNG of 2 frames', 'image/png', 'FILE_TYPE_REFUSED', () => animatedPngOf(2)],
    ['a WebP of 100,000 chunks', 'image/webp', 'FILE_TOO_COMPLEX', () => webpOfChunks(100_000)],
    ['a WebP of 10,000 frames', 'image/webp', 'FILE_TOO_COMPLEX', () => animatedWebpOf(10_000, { flag: true })],
    [
      'a WebP with frames but no flag',
      'image/webp',
      'FILE_TYPE_REFUSED',
      () => animatedWebpOf(2, { flag: false }),
    ],
    ['a HEIC that claims 26 megapixels', 'image/heic', 'FILE_TOO_COMPLEX', async () => heicOfSize(6500, 4000)],
    ['a HEIC of 501 items', 'image/heic', 'FILE_TOO_COMPLEX', async () => heicWithBoxes('infe', 500, 'iinf')],
    [
      'a HEIC of 5,000 properties',
      'image/heic',
      'FILE_TOO_COMPLEX',
      async () => heicWithBoxes('free', 5000, 'ipco'),
    ],
    ['a WebP that claims 268 megapixels', 'image/webp', 'PICTURE_TOO_LARGE', () => webpOfSize(16_384, 16_384)],
  ])('%s', { timeout: 60_000 }, async (_, type, code, make) => {
    expect(codeOf(await make(), type)).toBe(code);
  });

  test('the sizes of all texts of a PNG are added up', async () => {
    const text = Buffer.from(await pngInflatingTo(3 * MEBIBYTE, 'zTXt'));
    const data = text.subarray(41, 41 + text.readUInt32BE(33));
    expect(
      codeOf(
        await pngOf([
          ['zTXt', data],
          ['zTXt', data],
        ]),
        'image/png',
      ),
    ).toBe('accepted');
    expect(codeOf(await pngOf([1, 2, 3].map(() => ['zTXt', data])), 'image/png')).toBe('FILE_TOO_COMPLEX');
  });
});

describe('structure of a picture', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    'structure of a picture has the size that the library of the decoder reads: %s',
    async (format) => {
      const size = fc.record({ width: fc.integer({ min: 1, max: 90 }), height: fc.integer({ min: 1, max: 90 }) });
      await fc.assert(
        fc.asyncProperty(size, fc.boolean(), fc.boolean(), async ({ width, height }, progressive, alpha) => {
          const channels = alpha ? 4 : 3;
          const picture = sharp({ create: { width, height, channels, background: '#40608080' } });
          const options = { jpeg: { progressive }, png: { progressive }, webp: { lossless: progressive } }[format];
          const content = await picture.toFormat(format, options).toBuffer();
          expect(check(content, `image/${format}`)).toMatchObject({
            width,
            height,
            isAnimated: false,
            isCmyk: false,
          });
        }),
        { numRuns: 30 },
      );
    },
  );

  test('gives the bytes that a decoder holds in memory', async () => {
    const held = async (content: Promise<Buffer>, type: PictureType) => check(await content, type).heldBytes;
    const pixels = 1600 * 1200;
    expect(await held((await card()).jpeg().toBuffer(), 'image/jpeg')).toBe(0);
    expect(await held((await card()).jpeg({ progressive: true }).toBuffer(), 'image/jpeg')).toBe(pixels * 3);
    const full = (await card()).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
    expect(await held(full, 'image/jpeg')).toBe(pixels * 6);
    expect(await held((await card()).png().toBuffer(), 'image/png')).toBe(0);
    expect(await held((await card()).png({ progressive: true }).toBuffer(), 'image/png')).toBe(pixels * 3);
    expect(await held((await card()).webp({ effort: 0 }).toBuffer(), 'image/webp')).toBe(pixels * 4);
  });

  test('a CMYK picture of more than 12 megapixels is too complex', async () => {
    expect(check(await jpegOfSize(4000, 3000, 'cmyk'), 'image/jpeg').isCmyk).toBe(true);
    expect(codeOf(await jpegOfSize(4100, 3000, 'cmyk'), 'image/jpeg')).toBe('FILE_TOO_COMPLEX');
    expect(codeOf(await jpegOfSize(4100, 3000), 'image/jpeg')).toBe('accepted');
  });

  test('any damaged picture gets a result or a refusal, never a fault', async () => {
    const pictures = {
      'image/jpeg': await (await card()).resize(80).jpeg({ progressive: true }).toBuffer(),
      'image/png': await pngInflatingTo(1000, 'iTXt'),
      'image/webp': await (await card()).resize(80).webp().toBuffer(),
      'image/heic': heic(),
    };
    const damage = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) }), {
      maxLength: 20,
    });
    const type = fc.constantFrom(...(Object.keys(pictures) as PictureType[]));
    fc.assert(
      fc.property(type, damage, fc.double({ min: 0, max: 1, noNaN: true }), (of, changes, share) => {
        const content = Uint8Array.from(pictures[of]);
        for (const { at, byte } of changes) content[Math.floor(at * (content.byteLength - 1))] = byte;
        codeOf(content.subarray(0, Math.ceil(content.byteLength * share)), of);
      }),
      { numRuns: 1000 },
    );
  });

  test('random bytes get a result or a refusal, never a fault', () => {
    const type = fc.constantFrom<PictureType>('image/jpeg', 'image/png', 'image/webp', 'image/heic');
    fc.assert(fc.property(type, fc.uint8Array({ maxLength: 500 }), (of, content) => void codeOf(content, of)));
  });
});
