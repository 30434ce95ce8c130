/**
 * Reads pictures of documents in its own process: pictures in on standard input, each after its size; `ready`, then a line of JSON for each
 * out. It inherits no environment and knows no secret. The pictures are those that the decoder drew, never an upload.
 */
import { createHash } from 'node:crypto';
import { createWriteStream, read, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { DocumentReading } from '@countersign/domain';
import { createNetworks, type DescribedLayer, readMrz, WEIGHTS_URL } from '@countersign/reading';
import sharp from 'sharp';
import { parseSize, READY, SIZE_BYTES } from './frame.ts';
import { readingOf } from './reading-of.ts';

/** The longest side at which a picture is read. */
const SIDE = 2200;

/** Processor time after which no further look at a picture begins, in milliseconds: that of the measured accuracy. */
const BUDGET_MS = 700;

/** No picture that the decoder draws is larger. */
const CONTENT_MAX = 10 * 1024 * 1024;

sharp.cache(false);
sharp.concurrency(1);
const { networks, readerVersion } = loadNetworks();
const output = createWriteStream('', { fd: 1 });
output.write(`${READY}\n`);
for (;;) {
  const size = await readInput(SIZE_BYTES);
  if (size === null) break;
  const content = await readInput(parseSize(size));
  if (content === null) break;
  output.write(`${JSON.stringify(await readPicture(content))}\n`);
}

/** Reads one picture. One that cannot be decoded is a failed reading. */
async function readPicture(content: Uint8Array): Promise<DocumentReading> {
  const picture = await decode(content);
  if (picture === null) return { outcome: 'failed', readerVersion, fields: {} };
  const today = new Date().toISOString().slice(0, 10);
  const found = readMrz(picture, networks, { now: processorMs, budget: BUDGET_MS, today });
  return readingOf(found, { ...picture, today, readerVersion });
}

async function decode(content: Uint8Array): Promise<{ width: number; height: number; data: Uint8Array } | null> {
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

/** @throws Error if the weights are missing or damaged */
function loadNetworks(): { networks: ReturnType<typeof createNetworks>; readerVersion: string } {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', WEIGHTS_URL), 'utf8')) as {
    readonly sha256: string;
    readonly layers: readonly DescribedLayer[];
  };
  const weights = readFileSync(new URL('mrz.bin', WEIGHTS_URL));
  if (createHash('sha256').update(weights).digest('hex') !== manifest.sha256) {
    throw new Error('The weights of the reader are damaged.');
  }
  return {
    networks: createNetworks(weights, manifest.layers),
    readerVersion: `mrz-${manifest.sha256.slice(0, 12)}`,
  };
}

/** Processor time of this process: a busy machine does not shorten the look. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
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
    const { bytesRead } = await promisify(read)(0, content, offset, bytes - offset, null);
    if (bytesRead === 0) return null;
    offset += bytesRead;
  }
  return content;
}
