// cspell:ignore DCSSAMPLE DCGUSA
import { readFileSync } from 'node:fs';
import { WEIGHTS_URL } from '@countersign/reading';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { licenceReadingOf } from './licence-reading-of.ts';
import { readBarcode } from './read-barcode.ts';

const KNOWN = readFileSync(new URL('known-licence.jpg', WEIGHTS_URL));

/** Photographs the known barcode, of three pixels a module. */
async function photographed(change: (picture: Sharp) => Sharp) {
  const changed = await change(sharp(KNOWN)).jpeg({ quality: 30 }).toBuffer();
  const { data, info } = await sharp(changed).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Black and white stripes in pieces above each other. */
function stripes(count: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="300"><path stroke="#000" stroke-width="300" stroke-dasharray="5" d="M0 150h560"/></svg>`;
  return Array.from({ length: count }, (_, i) => ({ input: Buffer.from(svg), left: 20, top: 20 + 370 * i }));
}

it.each([0, 3, -10, 20, 90, 180])(
  'reads a barcode that is turned by %d° and saved as a JPEG of 30',
  async (angle) => {
    const picture = await photographed((drawn) => drawn.rotate(angle, { background: '#999' }));
    const found = await readBarcode(picture);
    expect(licenceReadingOf(found?.text, 'test').fields.documentNumber?.value).toBe('T64235789');
  },
);

it('reads a barcode that is blurred by 0.4 of a module', async () => {
  expect(await readBarcode(await photographed((drawn) => drawn.blur(1.2)))).toBeDefined();
});

it('reads a barcode of two pixels a module', async () => {
  const picture = await photographed((drawn) => drawn.resize(413).rotate(4, { background: '#999' }));
  expect(await readBarcode(picture)).toBeDefined();
});

it('a tilted barcode is read in the first try', async () => {
  const picture = await photographed((drawn) => drawn.rotate(10, { background: '#999' }));
  expect(await readBarcode(picture, 0)).toBeDefined();
});

describe('a tilted barcode among stripes that are more striking', () => {
  const picture = () =>
    photographed((drawn) =>
      drawn.rotate(7, { background: '#999' }).extend({ top: 1850, background: '#999' }).composite(stripes(5)),
    );

  it('a tilted barcode among stripes is read by turning the whole picture', async () => {
    expect(await readBarcode(await picture(), Number.POSITIVE_INFINITY)).toBeDefined();
  });

  it('a tilted barcode among stripes is not looked for once the budget is spent', async () => {
    expect(await readBarcode(await picture(), 0)).toBeUndefined();
  });
});

it('a barcode with most of it covered is nothing', async () => {
  const cover = {
    input: { create: { width: 500, height: 276, channels: 3, background: '#555' } as const },
    left: 120,
    top: 0,
  };
  expect(await readBarcode(await photographed((drawn) => drawn.composite([cover])))).toBeUndefined();
});

describe('the text of a barcode', () => {
  const text = '@\n\x1e\rANSI 636014090001DL00310200DLDAQT1\nDCSSAMPLE\nDBB06061986\nDCGUSA\r';

  it('values are sure, names are not', () => {
    expect(licenceReadingOf(text, 'test')).toEqual({
      outcome: 'read',
      readerVersion: 'test',
      fields: {
        documentNumber: { value: 'T1', sure: true },
        dateOfBirth: { value: '1986-06-06', sure: true },
        issuingCountry: { value: 'US', sure: true },
        lastName: { value: 'SAMPLE', sure: false },
      },
      issuer: 'US',
    });
  });

  it.each([
    ['none', undefined],
    ['another text', 'M1LIND/ANNA'],
    ['a number with a control character', text.replace('T1', 'T\x07')],
    ['100 kB', text.replace('SAMPLE', 'A'.repeat(100_000))],
  ])('%s is nothing', (_, bad) => {
    expect(licenceReadingOf(bad, 'test')).toEqual({ outcome: 'nothing', readerVersion: 'test', fields: {} });
  });
});
