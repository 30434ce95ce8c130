/**
 * Decodes one file in its own process: the file in on standard input, `ready`, an `Answer` and the new pictures out.
 * It inherits no environment and knows no secret, so an exploit of a decoder finds nothing.
 * Arguments: the format, the size of the input, the size the new pictures may have, the number of pages of a PDF; for a logo also
 * the width and height that it may have.
 */
import { createWriteStream, read } from 'node:fs';
import { parseArgs, promisify } from 'node:util';
import sharp from 'sharp';
import { type Answer, READY, RefusedFile } from './answer.ts';
import { drawLogo } from './draw-logo.ts';
import { drawPdf } from './draw-pdf.ts';
import { drawThumbnail } from './draw-thumbnail.ts';
import { openHeic } from './open-heic.ts';
import { openPicture } from './open-picture.ts';
import { warningsOf } from './picture-warnings.ts';
import { redrawPicture } from './redraw-picture.ts';

const [format = '', size = '', maxBytes = '', maxPages = '', maxWidth = '', maxHeight = ''] = parseArgs({
  allowPositionals: true,
}).positionals;
const output = createWriteStream('', { fd: 1 });

sharp.cache(false);
sharp.concurrency(1);
output.write(READY);
await answer(await readInput(Number(size)));

async function answer(content: Uint8Array): Promise<void> {
  try {
    if (format === 'pdf') return await answerPages(content);
    const open = format === 'heic' ? await openHeic(content) : await openPicture(content, format);
    if (maxWidth !== '') return await answerLogo(content);
    const drawn = await redrawPicture(open, Number(maxBytes));
    const pictures = [drawn, await drawThumbnail(drawn)];
    say({ outcome: 'drawn', warnings: await warningsOf(drawn), sizes: sizesOf(pictures) });
    write(pictures);
  } catch (error) {
    if (!(error instanceof RefusedFile)) throw error;
    say({ outcome: error.refusal });
  }
}

async function answerLogo(logo: Uint8Array): Promise<void> {
  const bounds = { width: Number(maxWidth), height: Number(maxHeight), bytes: Number(maxBytes) };
  const { content, width, height } = await drawLogo(logo, bounds);
  say({ outcome: 'logo', width, height });
  output.write(content);
}

async function answerPages(content: Uint8Array): Promise<void> {
  const { pages, warnings } = await drawPdf(content, { maxPages: Number(maxPages), maxBytes: Number(maxBytes) });
  const pictures = [...pages, ...(await Promise.all(pages.slice(0, 1).map(drawThumbnail)))];
  say({ outcome: 'pages', warnings, sizes: sizesOf(pictures) });
  write(pictures);
}

function sizesOf(pictures: readonly Uint8Array[]): readonly number[] {
  return pictures.map(({ byteLength }) => byteLength);
}

function write(pictures: readonly Uint8Array[]): void {
  for (const picture of pictures) output.write(picture);
}

function say(said: Answer): void {
  output.write(`${JSON.stringify(said)}\n`);
}

/**
 * Reads standard input straight into one buffer. (Importing node:process would open standard input as a stream, and this read
 * would then fail with EAGAIN.)
 */
async function readInput(bytes: number): Promise<Uint8Array> {
  const content = new Uint8Array(bytes);
  for (let offset = 0; offset < bytes; ) {
    const { bytesRead } = await promisify(read)(0, content, offset, bytes - offset, null);
    if (bytesRead === 0) throw new Error('The server closed the input before the file was complete.');
    offset += bytesRead;
  }
  return content;
}
