const CLEAR = 256;
const END = 257;
const FIRST_FREE = 258;
const WIDTH_MIN = 9;
const CODES_MAX = 4096;

/**
 * Returns the size of LZW data (ISO 32000-2, 7.4.4) once it is decoded: it adds up the lengths of the sequences without
 * building them. Ends at the first code that cannot be.
 * @param changesEarly whether codes get longer one code early
 */
export function lzwSize(encoded: Uint8Array, changesEarly: boolean): number {
  const lengths = new Uint32Array(CODES_MAX).fill(1, 0, CLEAR);
  let next = FIRST_FREE;
  let width = WIDTH_MIN;
  let previous = 0;
  let size = 0;
  let bits = 0;
  let count = 0;
  for (const byte of encoded) {
    bits = ((bits << 8) | byte) & 0xffffff;
    count += 8;
    if (count < width) continue;
    count -= width;
    const code = (bits >> count) & (2 ** width - 1);
    if (code === END) break;
    if (code === CLEAR) {
      next = FIRST_FREE;
      width = WIDTH_MIN;
      previous = 0;
      continue;
    }
    if (code > next || (code === next && previous === 0)) break;
    if (previous > 0 && next < CODES_MAX) lengths[next++] = previous + 1;
    previous = lengths[code] ?? 0;
    size += previous;
    while (width < 12 && next + (changesEarly ? 1 : 0) >= 2 ** width) width++;
  }
  return size;
}
