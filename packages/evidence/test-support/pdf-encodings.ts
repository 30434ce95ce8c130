/** Encoders for the filters of PDF streams (ISO 32000-2, 7.4). */

export function toHex(content: Uint8Array): Buffer {
  return Buffer.from(`${Buffer.from(content).toString('hex')}>`);
}

export function toAscii85(content: Uint8Array): Buffer {
  let text = '';
  for (let at = 0; at < content.byteLength; at += 4) {
    const bytes = content.subarray(at, at + 4);
    const group = Buffer.alloc(4);
    group.set(bytes);
    let value = group.readUInt32BE();
    if (value === 0 && bytes.byteLength === 4) {
      text += 'z';
      continue;
    }
    const digits: number[] = [];
    for (let digit = 0; digit < 5; digit++) {
      digits.unshift((value % 85) + 33);
      value = Math.floor(value / 85);
    }
    text += String.fromCharCode(...digits.slice(0, bytes.byteLength + 1));
  }
  return Buffer.from(`${text}~>`);
}

/** Encodes one byte many times: two bytes for each 128. */
export function toRunLengths(byte: number, times: number): Buffer {
  const encoded = Buffer.alloc(2 * Math.ceil(times / 128) + 1);
  for (let at = 0; at + 1 < encoded.byteLength; at += 2) encoded.set([257 - 128, byte], at);
  encoded[encoded.byteLength - 1] = 128;
  return encoded;
}

const CLEAR = 256;
const END = 257;
/** So many codes leave their width at 9 bits. */
const SHORT_CODES = 250;

/** Encodes bytes as they are, with a new table before codes would get longer. */
export function toLzw(content: Uint8Array): Buffer {
  const codes: number[] = [];
  for (const [index, byte] of content.entries()) {
    if (index % SHORT_CODES === 0) codes.push(CLEAR);
    codes.push(byte);
  }
  return inBits([...codes, END].map((code) => [code, 9]));
}

/** LZW data whose codes double the output: each table of 6 KB gives more than 7 MB of zeros. */
export function lzwBomb(tables: number): Buffer {
  const codes: (readonly [code: number, width: number])[] = [];
  for (let table = 0; table < tables; table++) {
    codes.push([CLEAR, table === 0 ? 9 : 12], [0, 9]);
    // The code that is defined by itself: one byte longer than the one before.
    for (let code = 258; code < 4095; code++)
      codes.push([code, code < 511 ? 9 : code < 1023 ? 10 : code < 2047 ? 11 : 12]);
  }
  return inBits([...codes, [END, 12]]);
}

function inBits(codes: readonly (readonly [code: number, width: number])[]): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const [code, width] of codes) {
    bits = (bits << width) | code;
    count += width;
    while (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
      bits &= 2 ** count - 1;
    }
  }
  bytes.push((bits << (8 - count)) & 0xff);
  return Buffer.from(bytes);
}
