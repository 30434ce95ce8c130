import sharp from 'sharp';

/** A small WebP with this many empty chunks behind its picture. */
export async function webpOfChunks(count: number): Promise<Uint8Array<ArrayBuffer>> {
  const picture = Buffer.from(await smallWebp()).subarray(RIFF_BYTES);
  return webpOf(0, [picture, ...Array<Uint8Array>(count).fill(chunk('JUNK', new Uint8Array()))]);
}

/** An animated WebP of this many frames. Without the flag in its header, only its chunks show that. */
export async function animatedWebpOf(
  frames: number,
  { flag }: { readonly flag: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  const picture = Buffer.from(await smallWebp()).subarray(RIFF_BYTES);
  // Position, size, duration and how frames are drawn over each other.
  const head = Buffer.alloc(16);
  head.writeUIntLE(WIDTH - 1, 6, 3);
  head.writeUIntLE(HEIGHT - 1, 9, 3);
  const frame = chunk('ANMF', Buffer.concat([head, picture]));
  return webpOf(flag ? ANIMATED : 0, [chunk('ANIM', new Uint8Array(6)), ...Array<Uint8Array>(frames).fill(frame)]);
}

/** A small WebP whose header claims this size. */
export async function webpOfSize(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const picture = Buffer.from(await smallWebp()).subarray(RIFF_BYTES);
  return webpOf(0, [picture], { width, height });
}

const RIFF_BYTES = 12;
const ANIMATED = 0b10;
const WIDTH = 64;
const HEIGHT = 48;

function smallWebp(): Promise<Buffer> {
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#406080' } })
    .webp({ effort: 0 })
    .toBuffer();
}

/** A file with an extended header. */
function webpOf(
  flags: number,
  chunks: readonly Uint8Array[],
  { width, height }: { readonly width: number; readonly height: number } = { width: WIDTH, height: HEIGHT },
): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(10);
  header[0] = flags;
  header.writeUIntLE(width - 1, 4, 3);
  header.writeUIntLE(height - 1, 7, 3);
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', header), ...chunks]);
  return new Uint8Array(chunk('RIFF', body));
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(8 + data.byteLength + (data.byteLength % 2));
  bytes.write(type, 'latin1');
  bytes.writeUInt32LE(data.byteLength, 4);
  bytes.set(data, 8);
  return bytes;
}
