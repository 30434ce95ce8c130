import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A PNG of one colour with chunks of this kind behind its header. */
export async function pngOf(
  chunks: readonly (readonly [type: string, data: Uint8Array])[],
  size: { readonly width: number; readonly height: number } = { width: 64, height: 48 },
): Promise<Uint8Array<ArrayBuffer>> {
  const png = await sharp({ create: { ...size, channels: 3, background: '#406080' } })
    .png()
    .toBuffer();
  // The signature and the header have a fixed length.
  const added = Buffer.concat(chunks.map(([type, data]) => chunk(type, data)));
  return joined(png.subarray(0, 33), added, png.subarray(33));
}

/** A valid PNG of black pixels. It is written without the pixels, so that hundreds of megapixels take no time. */
export function blackPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  // 8 bits per channel, RGB.
  header.set([8, 2], 8);
  // Each row begins with the number of its filter.
  const pixels = zeros(height * (1 + 3 * width));
  return joined(SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', new Uint8Array()));
}

/** A small PNG with this many texts of one letter. */
export function pngOfChunks(count: number): Promise<Uint8Array<ArrayBuffer>> {
  return pngOf(Array.from({ length: count }, () => ['tEXt', Buffer.from('a\0b')]));
}

/** A small PNG with this many empty chunks before its pixels. */
export async function pngOfPixelChunks(count: number): Promise<Uint8Array<ArrayBuffer>> {
  const png = await pngOf([]);
  const pixels = Buffer.from(png).indexOf('IDAT') - 4;
  return joined(
    png.subarray(0, pixels),
    Buffer.concat(Array<Uint8Array>(count).fill(chunk('IDAT', new Uint8Array()))),
    png.subarray(pixels),
  );
}

/** A small PNG with compressed data that inflates to this many bytes, in a kind of chunk that holds such data. */
export function pngInflatingTo(bytes: number, type: 'zTXt' | 'iTXt' | 'iCCP'): Promise<Uint8Array<ArrayBuffer>> {
  const head = { zTXt: 'a\0\0', iTXt: 'a\0\x01\0\0\0', iCCP: 'a\0\0' }[type];
  return pngOf([[type, joined(Buffer.from(head, 'latin1'), zeros(bytes))]]);
}

/** An animated PNG of many frames. Its frames are empty, which no check before them sees. */
export async function animatedPngOf(frames: number): Promise<Uint8Array<ArrayBuffer>> {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames);
  const frame = Buffer.alloc(26);
  return pngOf([['acTL', control], ...Array.from({ length: frames }, () => ['fcTL', frame] as const)]);
}

const SIGNATURE: Uint8Array = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const BLOCK_BYTES = 16 * 1024 * 1024;
const ZLIB_HEAD: Uint8Array = Uint8Array.of(0x78, 0x9c);

/** A zlib stream of so many zeros, a thousandth of their size. It repeats one block, so that gigabytes take no time. */
function zeros(bytes: number): Uint8Array {
  if (bytes <= BLOCK_BYTES) return deflateSync(new Uint8Array(bytes), { level: 9 });
  const block = deflateRawSync(new Uint8Array(BLOCK_BYTES), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const rest = deflateRawSync(new Uint8Array(bytes % BLOCK_BYTES), { level: 9 });
  // Adler-32 (RFC 1950, section 8.2) of zeros: their number, and one.
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE(bytes % 65_521);
  checksum.writeUInt16BE(1, 2);
  return Buffer.concat([
    ZLIB_HEAD,
    ...Array<Uint8Array>(Math.floor(bytes / BLOCK_BYTES)).fill(block),
    rest,
    checksum,
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + data.byteLength);
  bytes.writeUInt32BE(data.byteLength);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.byteLength)), 8 + data.byteLength);
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
