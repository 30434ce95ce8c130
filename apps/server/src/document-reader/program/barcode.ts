/**
 * Reads the barcode of a licence in its own process, which reads one picture and is ended: its decoder is a large program of WebAssembly. It
 * inherits no environment and knows no secret. The picture is one that the decoder of uploads drew, never an upload.
 */
import { ZXING_WASM_VERSION } from 'zxing-wasm/reader';
import { licenceReadingOf } from './licence-reading-of.ts';
import { readBarcode } from './read-barcode.ts';
import { serve } from './serve.ts';

const readerVersion = `pdf417-${ZXING_WASM_VERSION}`;
await serve({
  readerVersion,
  async read(picture) {
    const found = await readBarcode(picture);
    return licenceReadingOf(found?.text, readerVersion);
  },
});
