import { PDF_MAX_INFLATED_BYTES, PDF_MAX_STREAMS } from '../structure/limits.ts';
import { type PdfWarning, RefusedFile } from './answer.ts';
import { DecodedBytes, decode, filtersOf, inflate } from './pdf-filters.ts';
import { checkPicture } from './pdf-pictures.ts';
import {
  CARRIAGE_RETURN,
  isName,
  isSpace,
  LINE_FEED,
  type PdfDictionary,
  PdfReader,
  type PdfValue,
  type PdfVisitor,
} from './pdf-syntax.ts';

/**
 * Checks the objects of a PDF, in the order in which they stand in the file, whatever its tables say.
 * @returns warnings about active content
 * @throws RefusedFile `encrypted`; `too_complex` for too many streams, too much data in them, or data that cannot be
 *   measured; `damaged`
 */
export function checkPdf(content: Uint8Array): readonly PdfWarning[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const findings = new Findings();
  const streams = streamsIn(bytes, findings);
  if (findings.isEncrypted) throw new RefusedFile('encrypted');
  const decoded = new DecodedBytes(PDF_MAX_INFLATED_BYTES);
  for (const stream of streams) checkStream(stream, decoded, findings);
  checkOtherStreams(bytes, new Set(streams.map(({ start }) => start)), decoded);
  return findings.warnings();
}

/** Names of what a reader could run or open. */
const ACTIVE: readonly (readonly [PdfWarning, readonly string[]])[] = [
  ['script', ['JavaScript', 'JS']],
  ['attachment', ['EmbeddedFile', 'EmbeddedFiles', 'FileAttachment', 'EF']],
  ['form', ['XFA']],
  ['launch', ['Launch', 'SubmitForm', 'ImportData']],
];

/** What the objects of a PDF name. */
class Findings implements PdfVisitor {
  readonly #names = new Set<string>();
  #hasFields = false;
  isEncrypted = false;

  name(name: string): void {
    this.#names.add(name);
  }

  entry(key: string, value: PdfValue): void {
    if (key === 'Encrypt') this.isEncrypted = true;
    // A signature is a field that is not filled in.
    if (key === 'FT' && !(isName(value) && value.name === 'Sig')) this.#hasFields = true;
  }

  warnings(): readonly PdfWarning[] {
    return ACTIVE.filter(
      ([warning, names]) => names.some((name) => this.#names.has(name)) || (warning === 'form' && this.#hasFields),
    ).map(([warning]) => warning);
  }
}

interface Stream {
  readonly dictionary: PdfDictionary;
  /** Position of the data. */
  readonly start: number;
  /** From the start of the data to the end of the file: compressed data has an end of its own. */
  readonly rest: Buffer;
  readonly data: Buffer;
}

/** Reads the objects of a file, and returns its streams. */
function streamsIn(bytes: Buffer, findings: Findings): readonly Stream[] {
  const reader = new PdfReader(bytes, findings);
  const streams: Stream[] = [];
  let dictionary: PdfDictionary | null = null;
  for (let next = reader.next(); next !== null; next = reader.next()) {
    if (typeof next !== 'string') {
      dictionary = next;
      continue;
    }
    if (next === STREAM && dictionary !== null) {
      if (streams.length === PDF_MAX_STREAMS) throw new RefusedFile('too_complex');
      const start = startOfData(bytes, reader.position);
      const end = endOfData(bytes, start, dictionary);
      streams.push({ dictionary, start, rest: bytes.subarray(start), data: bytes.subarray(start, end) });
      reader.position = end;
    }
    dictionary = null;
  }
  return streams;
}

const STREAM = 'stream';
const STREAM_END = 'endstream';

/** Returns where data starts: behind the end of the line, whatever stands in it, as readers do. */
function startOfData(bytes: Buffer, position: number): number {
  for (let at = position; at < bytes.byteLength; at++) {
    if (bytes[at] === LINE_FEED) return at + 1;
    if (bytes[at] === CARRIAGE_RETURN) return at + (bytes[at + 1] === LINE_FEED ? 2 : 1);
  }
  return bytes.byteLength;
}

/** Returns where data ends: by its length, if `endstream` stands there, otherwise at the next `endstream`. */
function endOfData(bytes: Buffer, start: number, dictionary: PdfDictionary): number {
  const length = dictionary.get('Length');
  if (typeof length === 'number' && length >= 0) {
    let end = start + length;
    while (isSpace(bytes[end] ?? 1)) end++;
    if (bytes.toString('latin1', end, end + STREAM_END.length) === STREAM_END) return start + length;
  }
  const end = bytes.indexOf(STREAM_END, start);
  return end === -1 ? bytes.byteLength : end;
}

function checkStream({ dictionary, rest, data }: Stream, bytes: DecodedBytes, findings: Findings): void {
  const filters = filtersOf(dictionary.get('Filter'), dictionary.get('DecodeParms') ?? dictionary.get('DP'));
  const isFlate = filters[0]?.name === 'FlateDecode' && data.byteLength > 0;
  const decoded = decode(isFlate ? rest : data, filters, bytes);
  if (decoded.picture !== null) checkPicture(decoded.picture, decoded.data ?? data, dictionary);
  if (decoded.data === null || decoded.picture !== null) return;
  if (is(dictionary.get('Type'), 'ObjStm')) readAll(decoded.data, findings);
  else if (!is(dictionary.get('Subtype'), 'Image')) checkInlineImages(decoded.data, bytes);
}

function is(value: PdfValue | undefined, name: string): boolean {
  return isName(value) && value.name === name;
}

function readAll(bytes: Buffer, visitor: PdfVisitor): void {
  const reader = new PdfReader(bytes, visitor);
  while (reader.next() !== null);
}

/** Longest dictionary of an inline image that is looked for. */
const INLINE_DICTIONARY_MAX_BYTES = 2000;
const NOTHING: PdfVisitor = { name: () => undefined, entry: () => undefined };

/** Measures the images inside the drawing of a page: `BI`, a dictionary without its brackets, `ID`, data. */
function checkInlineImages(drawing: Buffer, bytes: DecodedBytes): void {
  for (let at = drawing.indexOf('ID'); at !== -1; at = drawing.indexOf('ID', at + 2)) {
    if (!isSpace(drawing[at + 2] ?? 1)) continue;
    const before = drawing.subarray(Math.max(0, at - INLINE_DICTIONARY_MAX_BYTES), at);
    const begin = before.lastIndexOf('BI');
    if (begin === -1) continue;
    const dictionary = new PdfReader(Buffer.concat([LEFT, before.subarray(begin + 2), RIGHT]), NOTHING).next();
    if (dictionary === null || typeof dictionary === 'string') continue;
    const filters = filtersOf(
      dictionary.get('F') ?? dictionary.get('Filter'),
      dictionary.get('DP') ?? dictionary.get('DecodeParms'),
    );
    const data = drawing.subarray(at + 3);
    const decoded = filters.length === 0 ? null : decode(data, filters, bytes);
    if (decoded?.picture) checkPicture(decoded.picture, decoded.data ?? data, dictionary);
  }
}

const LEFT = Buffer.from('<<');
const RIGHT = Buffer.from('>>');

/**
 * Measures compressed data behind each word `stream` that is not the start of a known stream: a reader might find it by a
 * table of its own. Data that only looks compressed has no size here.
 */
function checkOtherStreams(bytes: Buffer, known: ReadonlySet<number>, decoded: DecodedBytes): void {
  let count = known.size;
  let previous = -1;
  for (let at = bytes.indexOf(STREAM); at !== -1; at = bytes.indexOf(STREAM, at + STREAM.length)) {
    // Words in one line have the same data behind them.
    if (at < previous) continue;
    const start = startOfData(bytes, at + STREAM.length);
    previous = start;
    if (known.has(start)) continue;
    if (!isCompressed(bytes.subarray(start))) continue;
    if (++count > PDF_MAX_STREAMS) throw new RefusedFile('too_complex');
    try {
      decoded.take(inflate(bytes.subarray(start), decoded.left).byteLength);
    } catch (error) {
      if (error instanceof RefusedFile && error.refusal === 'damaged') continue;
      throw error;
    }
  }
}

/** Whether data begins as a zlib stream does (RFC 1950, section 2.2). */
function isCompressed(data: Buffer): boolean {
  const [method = 0, flags = 0] = data;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0;
}
