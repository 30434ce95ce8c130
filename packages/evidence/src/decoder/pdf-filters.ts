import { inflateRawSync } from 'node:zlib';
import { RefusedFile } from './answer.ts';
import { lzwSize } from './lzw-size.ts';
import { isDictionary, isList, isName, isSpace, type PdfValue } from './pdf-syntax.ts';

/** How many bytes the streams of a file may still have once they are decoded. */
export class DecodedBytes {
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#left;
  }

  /** @throws RefusedFile `too_complex` if fewer are left */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new RefusedFile('too_complex');
  }
}

/** A filter of a stream by its full name, and its parameters. */
export interface Filter {
  readonly name: string;
  readonly parameters: PdfValue | undefined;
}

/** Short names of inline images. Readers take them for other streams as well. */
const FULL_NAMES: Readonly<Record<string, string>> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
};

/**
 * Returns the filters of a stream in the order in which they are undone.
 * @throws RefusedFile `too_complex` for filters that stand in another object
 */
export function filtersOf(filter: PdfValue | undefined, parameters: PdfValue | undefined): readonly Filter[] {
  if (filter === undefined || filter === null) return [];
  const names = isList(filter) ? filter : [filter];
  return names.map((name, index) => {
    if (!isName(name)) throw new RefusedFile('too_complex');
    return {
      name: FULL_NAMES[name.name] ?? name.name,
      parameters: isList(parameters) ? parameters[index] : parameters,
    };
  });
}

/** What is left of a stream when its filters are undone. */
export interface Decoded {
  /** Null for data that was only measured. */
  readonly data: Buffer | null;
  /** The filter of a picture's format, which is left. */
  readonly picture: Filter | null;
}

/**
 * Undoes the filters of a stream (ISO 32000-2, 7.4), and measures what comes out of each.
 * @throws RefusedFile `too_complex` for too much data, or for filters whose output cannot be measured; `damaged`
 */
export function decode(encoded: Buffer, filters: readonly Filter[], bytes: DecodedBytes): Decoded {
  let data = encoded;
  for (const [index, { name, parameters }] of filters.entries()) {
    const isLast = index === filters.length - 1;
    switch (name) {
      case 'ASCIIHexDecode':
        data = fromHex(data);
        break;
      case 'ASCII85Decode':
        data = fromAscii85(data, bytes.left);
        break;
      case 'FlateDecode':
        // A predictor would have to be undone before the next filter.
        if (!isLast && hasPredictor(parameters)) throw new RefusedFile('too_complex');
        data = inflate(data, bytes.left);
        break;
      case 'RunLengthDecode':
        data = fromRunLengths(data, bytes.left);
        break;
      case 'LZWDecode':
        if (!isLast) throw new RefusedFile('too_complex');
        bytes.take(lzwSize(data, changesEarly(parameters)));
        return { data: null, picture: null };
      case 'DCTDecode':
      case 'JPXDecode':
      case 'CCITTFaxDecode':
      case 'JBIG2Decode':
        if (!isLast) throw new RefusedFile('too_complex');
        return { data, picture: { name, parameters } };
      default:
        throw new RefusedFile('too_complex');
    }
    bytes.take(data.byteLength);
  }
  return { data, picture: null };
}

/** Whether parameters name a predictor, or might: they stand in another object. */
function hasPredictor(parameters: PdfValue | undefined): boolean {
  if (isDictionary(parameters)) return (parameters.get('Predictor') ?? 1) !== 1;
  return parameters !== undefined && parameters !== null;
}

/** Whether codes get longer one code early, as they do by default. @throws RefusedFile `too_complex` if it is unknown */
function changesEarly(parameters: PdfValue | undefined): boolean {
  if (parameters === undefined || parameters === null) return true;
  if (!isDictionary(parameters)) throw new RefusedFile('too_complex');
  return (parameters.get('EarlyChange') ?? 1) !== 0;
}

const ZLIB_HEAD_BYTES = 2;

/** Inflates a zlib stream. Readers do not check the checksum at its end either. Data behind it is ignored. */
export function inflate(compressed: Buffer, maxBytes: number): Buffer {
  if (compressed.subarray(0, ZLIB_HEAD_BYTES).every(isSpace)) return Buffer.alloc(0);
  try {
    return inflateRawSync(compressed.subarray(ZLIB_HEAD_BYTES), { maxOutputLength: Math.max(1, maxBytes + 1) });
  } catch (error) {
    throw new RefusedFile(error instanceof RangeError ? 'too_complex' : 'damaged');
  }
}

function fromHex(encoded: Buffer): Buffer {
  const end = encoded.indexOf('>');
  const digits = encoded.toString('latin1', 0, end === -1 ? encoded.byteLength : end).replace(/[^0-9a-f]/gi, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
}

const ZEROS = 'z'.charCodeAt(0);
const FIRST_DIGIT = '!'.charCodeAt(0);
const LAST_DIGIT = 'u'.charCodeAt(0);
const DIGITS = 5;
const BYTES = 4;

function fromAscii85(encoded: Buffer, maxBytes: number): Buffer {
  const end = encoded.indexOf('~');
  const characters = end === -1 ? encoded : encoded.subarray(0, end);
  const size = characters.reduce(
    (sum, byte) => sum + (byte === ZEROS ? BYTES : isSpace(byte) ? 0 : BYTES / DIGITS),
    0,
  );
  if (size > maxBytes) throw new RefusedFile('too_complex');
  const data = Buffer.alloc(Math.ceil(size) + BYTES);
  let length = 0;
  let group: number[] = [];
  for (const byte of characters) {
    if (byte === ZEROS && group.length === 0) length += BYTES;
    if (byte < FIRST_DIGIT || byte > LAST_DIGIT) continue;
    group.push(byte - FIRST_DIGIT);
    if (group.length < DIGITS) continue;
    length = data.writeUInt32BE(fromDigits(group), length);
    group = [];
  }
  if (group.length > 1) {
    const missing = DIGITS - group.length;
    data.writeUInt32BE(fromDigits([...group, ...Array<number>(missing).fill(LAST_DIGIT - FIRST_DIGIT)]), length);
    length += BYTES - missing;
  }
  return data.subarray(0, length);
}

function fromDigits(group: readonly number[]): number {
  return group.reduce((value, digit) => value * 85 + digit, 0) % 2 ** 32;
}

const END_OF_RUNS = 128;

function fromRunLengths(encoded: Buffer, maxBytes: number): Buffer {
  let size = 0;
  for (const { length } of runsOf(encoded)) size += length;
  if (size > maxBytes) throw new RefusedFile('too_complex');
  const data = Buffer.alloc(size);
  let end = 0;
  for (const { start, length, isRepeated } of runsOf(encoded)) {
    if (isRepeated) data.fill(encoded[start] ?? 0, end, end + length);
    else encoded.copy(data, end, start, start + length);
    end += length;
  }
  return data;
}

function* runsOf(encoded: Buffer): Generator<{ start: number; length: number; isRepeated: boolean }> {
  for (let at = 0; at < encoded.byteLength; ) {
    const length = encoded[at] ?? END_OF_RUNS;
    if (length === END_OF_RUNS) return;
    const isRepeated = length > END_OF_RUNS;
    yield { start: at + 1, length: isRepeated ? 257 - length : length + 1, isRepeated };
    at += isRepeated ? 2 : length + 2;
  }
}
