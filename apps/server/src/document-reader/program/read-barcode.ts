import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type GreyPicture, parseAamva } from '@countersign/reading';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { barcodeRegions } from './barcode-regions.ts';
import { cut, type Region, type Scale } from './cut.ts';

/**
 * How a region is drawn: as it is; wider for narrow bars; smaller, for blurred wide ones. Bars are read across, so more rows would only take
 * time.
 */
const SCALES: readonly Scale[] = [
  { across: 1, down: 1 },
  { across: 1.5, down: 1 },
  { across: 0.75, down: 0.75 },
];

/** No region is drawn wider, in pixels. */
const WIDTH_MAX = 2200;

/**
 * Degrees by which the whole picture is turned if no region has a barcode. The steps are small enough for the decoder, which reads barcodes
 * tilted by up to 2° either way.
 */
const ANGLES: readonly number[] = [0, 3.5, -3.5, 7, -7, 10.5, -10.5, 14, -14, 17.5, -17.5, 21, -21];

/**
 * Pixels given to the decoder after which no further try begins. They are work, not time, so a picture has the same reading on every machine.
 * A million take about 30 ms of a processor of 2026.
 */
const BUDGET = 10_000_000;

/** Barcodes of a picture that are looked at. */
const SYMBOLS_MAX = 4;

/** Loads the decoder from its file, which is installed: nothing is downloaded. */
async function loadDecoder(): Promise<void> {
  const program = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(program).buffer }, fireImmediately: true });
}

/**
 * Returns the text of a licence's barcode (PDF417) in a picture. The text must have the head and the number of a licence: the decoder's own
 * check is not enough.
 * @param budget pixels given to the decoder after which no further try begins
 */
export async function readBarcode(
  picture: GreyPicture,
  budget: number = BUDGET,
): Promise<{ readonly text: string } | undefined> {
  let pixels = 0;
  for (const [region, scale] of tries(picture)) {
    const drawn = cut(picture, region, scale);
    pixels += drawn.width * drawn.height;
    const found = await readBarcodes(drawn, {
      formats: ['PDF417'],
      textMode: 'Plain',
      tryInvert: false,
      tryDownscale: false,
      // Bars of a region stand upright. Those of a whole picture may lie.
      tryRotate: region.width === picture.width,
      maxNumberOfSymbols: SYMBOLS_MAX,
    });
    const sound = found.find(({ isValid, text }) => isValid && parseAamva(text) !== undefined);
    if (sound !== undefined) return { text: sound.text };
    if (pixels >= budget) return undefined;
  }
  return undefined;
}

/** Lists what the decoder tries in turn: regions that may be a barcode, then the whole picture. */
function* tries(picture: GreyPicture): Generator<readonly [Region, Scale]> {
  for (const region of barcodeRegions(picture)) {
    for (const scale of SCALES) {
      if (region.width * scale.across <= WIDTH_MAX) yield [region, scale];
    }
  }
  const { width, height } = picture;
  for (const angle of ANGLES) {
    yield [
      { x: width / 2, y: height / 2, width, height, angle },
      { across: 1, down: 1 },
    ];
  }
}

await loadDecoder();
