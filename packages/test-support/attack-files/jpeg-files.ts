import sharp from 'sharp';

/**
 * A progressive JPEG of one colour, and more scans of its brightness: some 60 bytes that make a decoder pass over all
 * pixels once more and change nothing.
 */
export async function jpegOfScans(
  scans: number,
  { width = 6000, height = 6600 } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const jpeg = await sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .jpeg({ progressive: true })
    .toBuffer();
  const blocks = Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK);
  const scan = Buffer.concat([SCAN_HEAD, nothingIn(blocks)]);
  return joined(
    jpeg.subarray(0, -END.length),
    ONLY_RUNS,
    Buffer.concat(Array.from({ length: scans }, () => scan)),
    END,
  );
}

const BLOCK = 8;
/** All coefficients of the first colour but its mean, at full precision. */
const SCAN_HEAD: Uint8Array = Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0);
/** A Huffman table whose only symbol, coded as one zero bit, says how many blocks have no more coefficients. */
const ONLY_RUNS: Uint8Array = Uint8Array.of(0xff, 0xc4, 0, 20, 0x10, 1, ...Array<number>(15).fill(0), 0xe0);
const RUN_BITS = 14;
const RUN_MAX = 2 ** (RUN_BITS + 1) - 1;

/** Codes that none of the blocks has more coefficients. */
function nothingIn(blocks: number): Uint8Array {
  let bits = '';
  for (let left = blocks; left > 0; left -= RUN_MAX) {
    const run = Math.max(2 ** RUN_BITS, Math.min(left, RUN_MAX));
    bits += `0${(run - 2 ** RUN_BITS).toString(2).padStart(RUN_BITS, '0')}`;
  }
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2));
  return Uint8Array.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])));
}

/** A small JPEG with many empty comments. */
export async function jpegOfSegments(count: number): Promise<Uint8Array<ArrayBuffer>> {
  return afterStart(await smallJpeg(), new Uint8Array(Buffer.from('fffe0002'.repeat(count), 'hex')));
}

/** A small JPEG that claims another size. */
export async function jpegOfSize(
  width: number,
  height: number,
  colours: 'srgb' | 'cmyk' = 'srgb',
): Promise<Uint8Array<ArrayBuffer>> {
  const jpeg = joined(await smallJpeg(colours));
  const frame = Buffer.from(jpeg.buffer).indexOf(Buffer.from([0xff, 0xc0]));
  const view = new DataView(jpeg.buffer);
  view.setUint16(frame + 5, height);
  view.setUint16(frame + 7, width);
  return jpeg;
}

/** A small JPEG whose frame has another marker, such as 0xc9 for arithmetic coding. */
export async function jpegOfFrame(marker: number): Promise<Uint8Array<ArrayBuffer>> {
  const jpeg = joined(await smallJpeg());
  jpeg[Buffer.from(jpeg.buffer).indexOf(Buffer.from([0xff, 0xc0])) + 1] = marker;
  return jpeg;
}

const END = Uint8Array.of(0xff, 0xd9);

function smallJpeg(colours: 'srgb' | 'cmyk' = 'srgb'): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 48, channels: 3, background: '#406080' } })
    .toColourspace(colours)
    .jpeg()
    .toBuffer();
}

function afterStart(jpeg: Uint8Array, segments: Uint8Array): Uint8Array<ArrayBuffer> {
  return joined(jpeg.subarray(0, 2), segments, jpeg.subarray(2));
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
