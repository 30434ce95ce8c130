import type { EvidenceFile } from './evidence-file.ts';

/** Bytes of a length before the parts of a content. */
const LENGTH_BYTES = 4;

/**
 * Joins a file and its drawn pages to one content, so that they are stored, sealed and deleted together. Without pages the
 * content is the file itself.
 */
export function joinContent(original: Uint8Array, pages: readonly Uint8Array[]): Uint8Array {
  if (pages.length === 0) return original;
  const parts = [original, ...pages];
  const headBytes = parts.length * LENGTH_BYTES;
  const content = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, headBytes));
  const view = new DataView(content.buffer);
  let offset = headBytes;
  for (const [index, part] of parts.entries()) {
    view.setUint32(index * LENGTH_BYTES, part.byteLength);
    content.set(part, offset);
    offset += part.byteLength;
  }
  return content;
}

/**
 * Returns one part of a content.
 * @param pages the number of drawn pages in the content
 * @param part 0 for the file itself, or the number of a page
 * @returns null if the content does not have these parts
 */
export function partOfContent(content: Uint8Array, pages: number, part: number): Uint8Array | null {
  if (pages === 0) return content;
  const headBytes = (pages + 1) * LENGTH_BYTES;
  if (content.byteLength < headBytes) return null;
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const lengths = Array.from({ length: pages + 1 }, (_, index) => view.getUint32(index * LENGTH_BYTES));
  const total = lengths.reduce((sum, length) => sum + length, headBytes);
  if (total !== content.byteLength) return null;
  const start = lengths.slice(0, part).reduce((sum, length) => sum + length, headBytes);
  return content.subarray(start, start + (lengths[part] ?? 0));
}

/**
 * Whether the content of a file can have this many bytes. Of a file with drawn pages, whose sizes are not stored, only the
 * least number is known.
 */
export function canHaveBytes({ size, pages = 0 }: Pick<EvidenceFile, 'size' | 'pages'>, bytes: number): boolean {
  return pages === 0 ? bytes === size : bytes > size + (pages + 1) * LENGTH_BYTES;
}
