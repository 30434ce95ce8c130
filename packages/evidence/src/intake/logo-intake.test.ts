// Each logo is decoded in a process of its own.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOGO_MAX_BYTES } from '@countersign/domain/clients';
import { animatedPngOf, blackPng } from '@countersign/test-support/attack-files/png-files';
import { animatedWebpOf } from '@countersign/test-support/attack-files/webp-files';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import sharp from 'sharp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { upload } from '../../test-support/upload.ts';
import { createEvidenceIntake } from './evidence-intake.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';

function receive(content: Uint8Array) {
  const spoolDirectory = join(temporaryDirectory(onTestFinished), 'spool');
  const intake = createEvidenceIntake({ spoolDirectory });
  onTestFinished(() => expect(readdirSync(spoolDirectory), 'left in the spool folder').toEqual([]));
  return intake.receiveLogo({ content: upload(content) }, 'client');
}

describe('an accepted logo', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('%s: is redrawn as PNG within the bounds', async (format) => {
    const picture = sharp({ create: { width: 1200, height: 300, channels: 3, background: '#1d4f91' } });
    const logo = await receive(await picture.toFormat(format).toBuffer());
    expect(logo).toMatchObject({ width: 512, height: 128 });
    expect(logo.id).toBe(createHash('sha256').update(logo.content).digest('hex'));
    expect(await sharp(logo.content).metadata()).toMatchObject({ format: 'png', width: 512, height: 128 });
  });

  test('an accepted logo is never made larger, keeps its transparency and loses its metadata', async () => {
    const half = { r: 255, g: 0, b: 0, alpha: 0.5 };
    const picture = sharp({ create: { width: 20, height: 40, channels: 4, background: half } });
    const content = await picture
      .withExif({ IFD0: { Artist: 'canary-7f3a91' } })
      .png()
      .toBuffer();
    const logo = await receive(Buffer.concat([content, Buffer.from('canary-7f3a91')]));
    expect(logo).toMatchObject({ width: 20, height: 40 });
    const header = await sharp(logo.content).metadata();
    expect(header).toMatchObject({ hasAlpha: true, space: 'srgb' });
    expect(header.exif).toBeUndefined();
    expect(Buffer.from(logo.content).includes('canary-7f3a91')).toBe(false);
    expect((await sharp(logo.content).ensureAlpha().raw().toBuffer()).subarray(0, 4)).toEqual(
      Buffer.from([255, 0, 0, 128]),
    );
  });

  test('an accepted logo of noise fits into the bytes', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const;
    const picture = sharp({ create: { width: 1024, height: 512, channels: 3, background: 'grey', noise } });
    const logo = await receive(await picture.png().toBuffer());
    expect(logo.content.byteLength).toBeLessThanOrEqual(LOGO_MAX_BYTES);
    expect(logo.width).toBe(2 * logo.height);
  });
});

describe('a refused logo', () => {
  test.each([
    ['an SVG drawing', 'FILE_TYPE_REFUSED', () => Buffer.from(SVG)],
    ['a text', 'FILE_TYPE_REFUSED', () => Buffer.from('no picture')],
    ['a PDF', 'FILE_TYPE_REFUSED', () => Buffer.from('%PDF-1.7')],
    ['a GIF', 'FILE_TYPE_REFUSED', () => Buffer.from('GIF89a\u0001\u0000\u0001\u0000')],
    ['an animated PNG', 'FILE_TYPE_REFUSED', () => animatedPngOf(2)],
    ['an animated WebP', 'FILE_TYPE_REFUSED', () => animatedWebpOf(2, { flag: true })],
    ['an empty file', 'FILE_EMPTY', () => Buffer.alloc(0)],
    ['50 MB', 'FILE_TOO_LARGE', () => Buffer.alloc(50 * 1024 * 1024)],
    ['a bomb', 'PICTURE_TOO_LARGE', () => blackPng(20_000, 20_000)],
    ['half a picture', 'FILE_DAMAGED', async () => (await whole()).subarray(0, 300)],
  ] as const)('%s: %s', async (_, code, make) => {
    await expect(receive(await make())).rejects.toMatchObject({ code });
  });
});

function whole(): Promise<Buffer> {
  return sharp({ create: { width: 400, height: 200, channels: 3, background: '#1d4f91' } })
    .png()
    .toBuffer();
}
