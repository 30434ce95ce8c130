import { fileDamaged, fileTooComplex, fileTypeRefused } from '../refusals.ts';
import { HEIC_MAX_BOXES, HEIC_MAX_ITEMS, HEIC_MAX_PIXELS } from './limits.ts';
import type { PictureStructure } from './picture-structure.ts';

/** Size and type of a box. */
const HEAD_BYTES = 8;
const LONG_SIZE_BYTES = 8;
/** Version and flags of a full box. */
const VERSION_BYTES = 4;
const HEVC = 'hvc1';
/** The decoder holds the colours as it decodes them, and the picture twice: with four bytes a pixel. */
const PIXEL_BYTES = 4;

/**
 * Walks through the boxes of a HEIC (ISO/IEC 14496-12, 23008-12) that describe its items: their number and codec in `iinf`, their sizes
 * in `ispe`. The largest size is the picture's; a photo of a phone has its tiles and a small picture besides.
 * @throws CountersignError `FILE_TYPE_REFUSED` for another codec, `FILE_TOO_COMPLEX`, `FILE_DAMAGED`
 */
export function structureOfHeic(content: Uint8Array): PictureStructure {
  const boxes = createBoxReader(new DataView(content.buffer, content.byteOffset, content.byteLength));
  const meta = boxes.find({ start: 0, end: content.byteLength }, 'meta', 0);
  const items = boxes.itemsOf(boxes.find(meta, 'iinf', VERSION_BYTES));
  if (!items.includes(HEVC)) throw fileTypeRefused('A HEIF picture without HEVC', { pdf: false });
  const properties = boxes.find(boxes.find(meta, 'iprp', VERSION_BYTES), 'ipco', 0);
  const [picture] = boxes.sizesIn(properties).toSorted((a, b) => b.width * b.height - a.width * a.height);
  if (picture === undefined || picture.width === 0 || picture.height === 0) throw fileDamaged('picture');
  const { width, height } = picture;
  if (width * height > HEIC_MAX_PIXELS) throw fileTooComplex('picture');
  return { width, height, heldBytes: width * height * PIXEL_BYTES, isCmyk: false, isAnimated: false };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Box extends Span {
  readonly type: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface BoxReader {
  /** Returns the content of the first box of a type. @param skip bytes before the first box of the span */
  find(span: Span, type: string, skip: number): Span;
  /** Lists the types of the items that a box `iinf` describes. */
  itemsOf(information: Span): readonly string[];
  /** Lists the sizes that the boxes `ispe` of a span give. */
  sizesIn(properties: Span): readonly Size[];
}

/** Every box that is read counts, so that a file of empty boxes takes no time. */
function createBoxReader(view: DataView): BoxReader {
  let read = 0;

  function uint32(offset: number): number {
    if (offset + 4 > view.byteLength) throw fileDamaged('picture');
    return view.getUint32(offset);
  }

  const typeAt = (offset: number): string =>
    String.fromCharCode(...[24, 16, 8, 0].map((bits) => (uint32(offset) >> bits) & 0xff));

  function* boxesIn({ start, end }: Span): Generator<Box> {
    for (let offset = start; offset + HEAD_BYTES <= end; ) {
      if (++read > HEIC_MAX_BOXES) throw fileTooComplex('picture');
      const short = uint32(offset);
      const isLong = short === 1;
      const size = isLong ? uint32(offset + HEAD_BYTES) * 2 ** 32 + uint32(offset + HEAD_BYTES + 4) : short;
      const head = isLong ? HEAD_BYTES + LONG_SIZE_BYTES : HEAD_BYTES;
      // The last box may leave its size out.
      const next = short === 0 ? end : offset + size;
      if (next < offset + head || next > end) throw fileDamaged('picture');
      yield { type: typeAt(offset + 4), start: offset + head, end: next };
      offset = next;
    }
  }

  return {
    find({ start, end }, type, skip) {
      for (const box of boxesIn({ start: start + skip, end })) if (box.type === type) return box;
      throw fileDamaged('picture');
    },

    itemsOf({ start, end }) {
      const isShort = uint32(start) >>> 24 === 0;
      const count = isShort ? uint32(start + VERSION_BYTES) >>> 16 : uint32(start + VERSION_BYTES);
      if (count > HEIC_MAX_ITEMS) throw fileTooComplex('picture');
      const entries = [...boxesIn({ start: start + VERSION_BYTES + (isShort ? 2 : 4), end })];
      if (entries.length > HEIC_MAX_ITEMS) throw fileTooComplex('picture');
      return entries
        .filter(({ type }) => type === 'infe')
        .map((entry) => {
          // Behind the id, of two or four bytes, and two bytes about its protection.
          const idBytes = uint32(entry.start) >>> 24 === 2 ? 2 : 4;
          return typeAt(entry.start + VERSION_BYTES + idBytes + 2);
        });
    },

    sizesIn: (properties) =>
      [...boxesIn(properties)]
        .filter(({ type }) => type === 'ispe')
        .map(({ start }) => ({
          width: uint32(start + VERSION_BYTES),
          height: uint32(start + VERSION_BYTES + 4),
        })),
  };
}
