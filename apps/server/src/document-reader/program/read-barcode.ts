import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type GreyPicture, parseAamva } from '@countersign/reading';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { turned } from './turn.ts';

/** The decoder reads barcodes that are tilted by up to 2° either way: so the picture is turned by these degrees. */
const ANGLES: readonly number[] = [0, 3.5, -3.5, 7, -7, 10.5, -10.5, 14, -14, 17.5, -17.5, 21, -21];

/** Barcodes of a picture that are looked at. */
const SYMBOLS_MAX = 4;

/** Loads the decoder from its file, which is installed: nothing is downloaded. */
async function loadDecoder(): Promise<void> {
  const program = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  await prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(program).buffer }, fireImmediately: true });
}

/**
 * Returns the text of a licence's barcode (PDF417) in a picture. That a text is valid by the decoder's own word is not enough: it must have
 * the head and the number of a licence.
 * @param mayGoOn asked before each turn of the picture but the first. Default: all are tried
 */
export async function readBarcode(
  picture: GreyPicture,
  mayGoOn: () => boolean = () => true,
): Promise<{ readonly text: string } | undefined> {
  for (const angle of ANGLES) {
    if (angle !== 0 && !mayGoOn()) return undefined;
    const found = await readBarcodes(turned(picture, angle), {
      formats: ['PDF417'],
      textMode: 'Plain',
      tryInvert: false,
      tryDownscale: false,
      maxNumberOfSymbols: SYMBOLS_MAX,
    });
    const sound = found.find(({ isValid, text }) => isValid && parseAamva(text) !== undefined);
    if (sound !== undefined) return { text: sound.text };
  }
  return undefined;
}

await loadDecoder();
