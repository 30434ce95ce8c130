import { createWriteStream, read } from 'node:fs';
import { promisify } from 'node:util';
import type { DocumentReading } from '@countersign/domain';
import type { GreyPicture } from '@countersign/reading';
import sharp from 'sharp';
import { parseSize, READY, SIZE_BYTES } from './frame.ts';
import { pictureHash } from './picture-hash.ts';

const readPart = promisify(read);

/** The longest side at which a picture is read. */
const SIDE = 2200;

/** No picture that the decoder draws is larger. */
const CONTENT_MAX = 10 * 1024 * 1024;

/** How a program reads. */
export interface PictureReader {
  readonly readerVersion: string;
  readonly read: (picture: GreyPicture) => Promise<DocumentReading>;
}

/**
 * Reads pictures until standard input ends: each after its size; `ready`, then a line of JSON for each on standard output. One that cannot be
 * decoded is a failed reading.
 */
export async function serve({ readerVersion, read: readPicture }: PictureReader): Promise<void> {
  sharp.cache(false);
  sharp.concurrency(1);
  const output = createWriteStream('', { fd: 1 });
  output.write(`${READY}\n`);
  for (;;) {
    const size = await readInput(SIZE_BYTES);
    const content = size && (await readInput(parseSize(size)));
    if (content === null) return;
    const picture = await decode(content);
    const reading =
      picture === null
        ? { outcome: 'failed', readerVersion, fields: {} }
        : { ...(await readPicture(picture)), pictureHash: await pictureHash(picture) };
    output.write(`${JSON.stringify(reading)}\n`);
  }
}

async function decode(content: Uint8Array): Promise<GreyPicture | null> {
  try {
    const { data, info } = await sharp(content, { failOn: 'error', sequentialRead: true })
      .resize({ width: SIDE, height: SIDE, fit: 'inside', withoutEnlargement: true })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, data };
  } catch {
    return null;
  }
}

/**
 * Reads standard input straight into one buffer. (Importing node:process would open standard input as a stream, and this read
 * would then fail with EAGAIN.)
 * @returns null at its end
 */
async function readInput(bytes: number): Promise<Uint8Array | null> {
  if (bytes > CONTENT_MAX) throw new Error('The picture is too large.');
  const content = new Uint8Array(bytes);
  for (let offset = 0; offset < bytes; ) {
    const { bytesRead } = await readPart(0, content, offset, bytes - offset, null);
    if (bytesRead === 0) return null;
    offset += bytesRead;
  }
  return content;
}
