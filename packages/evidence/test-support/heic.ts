import { readFileSync } from 'node:fs';

const FILE = readFileSync(new URL('./card.heic', import.meta.url));

/**
 * Returns a HEIC of two pictures. The first is a pale card of 1000 by 800 pixels with a red square. The second is the primary one, of 800
 * by 600 pixels (`small-primary`: 400 by 300) with a blue square.
 *
 * Written once by pillow-heif 1.8.1 (x265): `from_pillow(first)`, `add_from_pillow(second)`, `save(name, quality=50, primary_index=1)`.
 */
export function heicOfTwo(name: 'second-is-primary' | 'small-primary' = 'second-is-primary'): Buffer {
  return readFileSync(new URL(`./${name}.heic`, import.meta.url));
}

/**
 * Returns a HEIC of 803 by 603 pixels: a blue square on a pale card. The library fills its rows up to a multiple of 16 bytes.
 *
 * Written once by pillow-heif 1.8.1 (x265), as the next one: `from_pillow(picture)`, `save(name, quality=50)`.
 */
export const heicOfOddSize = (): Buffer => readFileSync(new URL('./odd-size.heic', import.meta.url));

/** Returns a HEIC of 5712 by 4284 pixels, as large as the photos of a phone. */
export const heicOfPhone = (): Buffer => readFileSync(new URL('./24-megapixels.heic', import.meta.url));

/**
 * Returns a HEIC of 800 by 600 pixels: a blue square on a pale card.
 * @param codec replaces the first codec by the second
 */
export function heic([from, to]: readonly [from: string, to: string] = ['hvc1', 'hvc1']): Buffer {
  const file = Buffer.from(FILE);
  file.write(to, file.indexOf(from), 'latin1');
  return file;
}

/** Returns the same with a header that claims this size. */
export function heicOfSize(width: number, height: number): Buffer {
  const file = heic();
  const size = file.indexOf('ispe') + 8;
  file.writeUInt32BE(width, size);
  file.writeUInt32BE(height, size + 4);
  return file;
}

/** Returns the same with more boxes of this type in a box: each has nothing in it. @param within the type of that box */
export function heicWithBoxes(type: string, count: number, within: 'iinf' | 'ipco'): Buffer {
  const box = Buffer.alloc(8);
  box.writeUInt32BE(8);
  box.write(type, 4, 'latin1');
  const more = Buffer.concat(Array.from({ length: count }, () => box));
  const parents = within === 'iinf' ? ['meta', 'iinf'] : ['meta', 'iprp', 'ipco'];
  const file = heic();
  for (const parent of parents) {
    const at = file.indexOf(parent) - 4;
    file.writeUInt32BE(file.readUInt32BE(at) + more.byteLength, at);
  }
  const parent = file.indexOf(within) - 4;
  const end = parent + file.readUInt32BE(parent) - more.byteLength;
  return Buffer.concat([file.subarray(0, end), more, file.subarray(end)]);
}
