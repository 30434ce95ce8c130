import { fileDamaged, fileTooComplex } from '../refusals.ts';
import { WEBP_MAX_CHUNKS } from './limits.ts';
import type { PictureStructure } from './picture-structure.ts';

/** `RIFF`, a length, and `WEBP`. */
const RIFF_BYTES = 12;
/** Type and length before the data of each chunk. */
const HEAD_BYTES = 8;
const ANIMATION_FLAG = 0b10;
const SIZE_BITS = 14;
/** A decoder holds every picture with transparency. */
const PIXEL_BYTES = 4;
const SIZE_MASK = 2 ** SIZE_BITS - 1;

/**
 * Walks through the chunks of a WebP (RFC 9649, section 2). A picture is animated by the flag of its header or if it has
 * frames.
 * @throws CountersignError `FILE_TOO_COMPLEX`, `FILE_DAMAGED`
 */
export function structureOfWebp(content: Uint8Array): PictureStructure {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  let width = 0;
  let height = 0;
  let isAnimated = false;
  let chunks = 0;
  let offset = RIFF_BYTES;
  while (offset + HEAD_BYTES <= content.byteLength) {
    if (++chunks > WEBP_MAX_CHUNKS) throw fileTooComplex('picture');
    const type = String.fromCharCode(...content.subarray(offset, offset + 4));
    const length = view.getUint32(offset + 4, true);
    const data = offset + HEAD_BYTES;
    const size = sizeIn(type, view, data);
    width = Math.max(width, size?.width ?? 0);
    height = Math.max(height, size?.height ?? 0);
    isAnimated ||= type === 'ANMF' || (type === 'VP8X' && ((content[data] ?? 0) & ANIMATION_FLAG) !== 0);
    offset = data + length + (length % 2);
  }
  if (width === 0 || height === 0) throw fileDamaged('picture');
  return { width, height, heldBytes: width * height * PIXEL_BYTES, isCmyk: false, isAnimated };
}

/** Returns the size that a chunk gives: of the canvas, of a lossy or of a lossless picture. */
function sizeIn(type: string, view: DataView, data: number): Pick<PictureStructure, 'width' | 'height'> | null {
  if (data + 10 > view.byteLength) return null;
  switch (type) {
    case 'VP8X':
      return { width: uint24(view, data + 4) + 1, height: uint24(view, data + 7) + 1 };
    case 'VP8 ':
      return {
        width: view.getUint16(data + 6, true) & SIZE_MASK,
        height: view.getUint16(data + 8, true) & SIZE_MASK,
      };
    case 'VP8L': {
      const bits = view.getUint32(data + 1, true);
      return { width: (bits & SIZE_MASK) + 1, height: ((bits >>> SIZE_BITS) & SIZE_MASK) + 1 };
    }
    default:
      return null;
  }
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) + view.getUint8(offset + 2) * 2 ** 16;
}
