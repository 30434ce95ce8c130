import { inflateRawSync } from 'node:zlib';
import { PDF_MAX_INFLATED_BYTES, PDF_MAX_STREAMS } from '../structure/limits.ts';
import { type PdfWarning, RefusedFile } from './answer.ts';

const STREAM = 'stream';
const STREAM_END = 'endstream';
const ZLIB_HEAD_BYTES = 2;
/** How often data may be compressed again. */
const DEPTH_MAX = 3;

/**
 * Checks a PDF before it is drawn. It takes every word `stream` for the start of a stream, whatever tables and lengths
 * the file gives, so that a reader finds no stream that was not counted.
 * @returns warnings about active content
 * @throws RefusedFile `encrypted`; `too_complex` for too many streams or too much inflated data; `damaged`
 */
export function checkPdf(content: Uint8Array): readonly PdfWarning[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const objects: string[] = [];
  let streams = 0;
  let inflatedBytes = 0;
  let objectsFrom = 0;
  for (let at = bytes.indexOf(STREAM); at !== -1; at = bytes.indexOf(STREAM, at + STREAM.length)) {
    const start = startOfData(bytes, at);
    if (start === null) continue;
    if (++streams > PDF_MAX_STREAMS) throw new RefusedFile('too_complex');
    const inflated = inflate(bytes.subarray(start), PDF_MAX_INFLATED_BYTES - inflatedBytes);
    inflatedBytes += inflated.total;
    if (at < objectsFrom) continue;
    const dictionary = bytes.toString('latin1', objectsFrom, at);
    objects.push(dictionary);
    if (/\/ObjStm\b/.test(dictionary)) objects.push(inflated.data.toString('latin1'));
    const end = bytes.indexOf(STREAM_END, start);
    objectsFrom = end === -1 ? bytes.byteLength : end + STREAM_END.length;
  }
  objects.push(bytes.toString('latin1', objectsFrom));
  const names = withoutEscapes(objects.join('\n'));
  if (/\/Encrypt\b/.test(names)) throw new RefusedFile('encrypted');
  return ACTIVE.filter(([, pattern]) => pattern.test(names)).map(([warning]) => warning);
}

/** Names of what a reader could run or open. A form is one with fields to fill in: a signature needs no warning. */
const ACTIVE: readonly (readonly [PdfWarning, RegExp])[] = [
  ['script', /\/(?:JavaScript|JS)\b/],
  ['attachment', /\/(?:EmbeddedFiles?|FileAttachment)\b/],
  ['form', /\/XFA\b|\/FT\s*\/(?:Tx|Btn|Ch)\b/],
  ['launch', /\/(?:Launch|SubmitForm|ImportData)\b/],
];

/** Returns where the data of a stream starts; null for the end of a stream or the word in a text. */
function startOfData(bytes: Buffer, at: number): number | null {
  if (bytes.toString('latin1', Math.max(0, at - 3), at) === 'end') return null;
  const after = at + STREAM.length;
  if (bytes[after] === LINE_FEED) return after + 1;
  return bytes[after] === CARRIAGE_RETURN ? after + (bytes[after + 1] === LINE_FEED ? 2 : 1) : null;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface Inflated {
  readonly data: Buffer;
  /** Size of the data, also of what it was compressed from before. */
  readonly total: number;
}

/** Inflates data that is compressed, again if need be. Data in another form has no size here. */
function inflate(data: Buffer, maxBytes: number): Inflated {
  let inflated: Inflated = { data: Buffer.alloc(0), total: 0 };
  let compressed = data;
  for (let depth = 0; depth < DEPTH_MAX && isCompressed(compressed); depth++) {
    const next = inflateOnce(compressed, maxBytes - inflated.total);
    if (next === null) {
      if (depth === 0) throw new RefusedFile('damaged');
      // It only looked compressed.
      break;
    }
    inflated = { data: next, total: inflated.total + next.byteLength };
    compressed = next;
  }
  return inflated;
}

/** Returns null for data that cannot be inflated. @throws RefusedFile `too_complex` */
function inflateOnce(compressed: Buffer, maxBytes: number): Buffer | null {
  try {
    // Readers do not check the checksum at the end either.
    return inflateRawSync(compressed.subarray(ZLIB_HEAD_BYTES), { maxOutputLength: maxBytes + 1 });
  } catch (error) {
    if (error instanceof RangeError) throw new RefusedFile('too_complex');
    return null;
  }
}

/** Whether data begins as a zlib stream does (RFC 1950, section 2.2). */
function isCompressed(data: Buffer): boolean {
  const [method = 0, flags = 0] = data;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0;
}

/** Replaces `#4a` in names by the character. */
function withoutEscapes(text: string): string {
  return text.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
