import { inflateSync } from 'node:zlib';
import { fileDamaged, fileTooComplex } from '../refusals.ts';
import { PNG_MAX_INFLATED_BYTES, PNG_MAX_OTHER_CHUNKS, PNG_MAX_PIXEL_CHUNKS } from './limits.ts';
import type { PictureStructure } from './picture-structure.ts';

const SIGNATURE_BYTES = 8;
/** Length and type before the data of each chunk, and the checksum behind it. */
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;
const HEADER_BYTES = 13;
/** Channels by the type of colour: grey, true colour, palette, both with transparency. A palette becomes true colour. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 };
const CHANNELS_MAX = 4;

/**
 * Walks through the chunks of a PNG (PNG 3rd edition, section 5) and inflates its texts and profiles. A picture is animated
 * if `acTL` comes before its pixels.
 * @throws CountersignError `FILE_TOO_COMPLEX`, `FILE_DAMAGED`
 */
export function structureOfPng(content: Uint8Array): PictureStructure {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const first = SIGNATURE_BYTES + HEAD_BYTES;
  if (content.byteLength < first + HEADER_BYTES) throw fileDamaged('picture');
  const header = {
    width: view.getUint32(first),
    height: view.getUint32(first + 4),
    heldBytes: content[first + 12] === 0 ? 0 : heldBytesOf(view, first),
    isCmyk: false,
  };

  let pixelChunks = 0;
  let otherChunks = 0;
  let inflated = 0;
  let isAnimated = false;
  let offset = SIGNATURE_BYTES;
  while (offset + HEAD_BYTES <= content.byteLength) {
    const type = typeAt(content, offset + 4);
    const start = offset + HEAD_BYTES;
    const end = start + view.getUint32(offset);
    if (type === 'IEND') break;
    if (type === 'IDAT') pixelChunks++;
    else otherChunks++;
    if (pixelChunks > PNG_MAX_PIXEL_CHUNKS || otherChunks > PNG_MAX_OTHER_CHUNKS) throw fileTooComplex('picture');
    if (type === 'acTL' && pixelChunks === 0) isAnimated = true;
    const compressed = compressedIn(type, content.subarray(start, end));
    if (compressed !== null) inflated += inflatedSize(compressed, PNG_MAX_INFLATED_BYTES - inflated);
    offset = end + CHECKSUM_BYTES;
  }
  return { ...header, isAnimated };
}

/** Returns the memory for the pixels of an interlaced picture. */
function heldBytesOf(view: DataView, header: number): number {
  const channels = CHANNELS[view.getUint8(header + 9)] ?? CHANNELS_MAX;
  const bytes = view.getUint8(header + 8) > 8 ? 2 : 1;
  return view.getUint32(header) * view.getUint32(header + 4) * channels * bytes;
}

function typeAt(content: Uint8Array, offset: number): string {
  return String.fromCharCode(...content.subarray(offset, offset + 4));
}

/** Returns the zlib stream in a text or a profile; null for other chunks. */
function compressedIn(type: string, data: Uint8Array): Uint8Array | null {
  const afterName = data.indexOf(0) + 1;
  if (afterName === 0) return null;
  if (type === 'zTXt' || type === 'iCCP') return data.subarray(afterName + 1);
  if (type !== 'iTXt' || data[afterName] !== 1) return null;
  // Behind the name: whether it is compressed, how, the language, the name in that language.
  const afterLanguage = data.indexOf(0, afterName + 2) + 1;
  const afterTranslation = data.indexOf(0, afterLanguage) + 1;
  return afterLanguage === 0 || afterTranslation === 0 ? null : data.subarray(afterTranslation);
}

/** @throws CountersignError `FILE_TOO_COMPLEX` over `maxBytes`, `FILE_DAMAGED` */
function inflatedSize(compressed: Uint8Array, maxBytes: number): number {
  try {
    return inflateSync(compressed, { maxOutputLength: maxBytes + 1 }).byteLength;
  } catch (error) {
    const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? fileTooComplex('picture') : fileDamaged('picture');
  }
}
