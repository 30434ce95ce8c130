import { PDF_MAX_INFLATED_BYTES, PICTURE_MAX_PIXELS } from '../structure/limits.ts';
import { RefusedFile } from './answer.ts';
import type { Filter } from './pdf-filters.ts';
import { isDictionary, type PdfDictionary, type PdfValue } from './pdf-syntax.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Refuses a picture in a PDF that would take more memory than an uploaded one: by the size in its own header, or, for
 * the formats of fax machines, of one bit a pixel, by the size that the PDF gives.
 * @throws RefusedFile `too_complex`
 */
export function checkPicture({ name, parameters }: Filter, data: Buffer, dictionary: PdfDictionary): void {
  const given = {
    width: numberOf(dictionary.get('Width') ?? dictionary.get('W')),
    height: numberOf(dictionary.get('Height') ?? dictionary.get('H')),
  };
  if (name === 'DCTDecode' || name === 'JPXDecode') {
    const { width, height } = (name === 'DCTDecode' ? sizeOfJpeg(data) : sizeOfJpeg2000(data)) ?? given;
    if (width * height > PICTURE_MAX_PIXELS) throw new RefusedFile('too_complex');
    return;
  }
  const columns = isDictionary(parameters) ? numberOf(parameters.get('Columns') ?? 0) : 0;
  const rows = isDictionary(parameters) ? numberOf(parameters.get('Rows') ?? 0) : 0;
  const bits = Math.max(given.width, columns) * Math.max(given.height, rows);
  if (bits / 8 > PDF_MAX_INFLATED_BYTES) throw new RefusedFile('too_complex');
}

/** A size that is unknown, or stands in another object, has no bound. */
function numberOf(value: PdfValue | undefined): number {
  return typeof value === 'number' ? value : Number.POSITIVE_INFINITY;
}

/** Returns the size in the frame of a JPEG (ITU-T T.81, B.2.2), or null if there is none. */
function sizeOfJpeg(data: Buffer): Size | null {
  for (let at = 0; at + 9 <= data.byteLength; at++) {
    if (data[at] !== 0xff) continue;
    const marker = data[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    }
    const isAlone = marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9);
    // One less each time, because the loop adds one.
    if (!isAlone) at += 1 + data.readUInt16BE(at + 2);
  }
  return null;
}

const CODESTREAM = Buffer.from([0xff, 0x4f, 0xff, 0x51]);

/** Returns the size at the begin of a JPEG 2000 codestream (ITU-T T.800, A.5.1), or null if there is none. */
function sizeOfJpeg2000(data: Buffer): Size | null {
  const at = data.indexOf(CODESTREAM);
  if (at === -1 || at + 24 > data.byteLength) return null;
  return {
    width: data.readUInt32BE(at + 8) - data.readUInt32BE(at + 16),
    height: data.readUInt32BE(at + 12) - data.readUInt32BE(at + 20),
  };
}
