import { readFileSync } from 'node:fs';
import { WEIGHTS_URL } from '@countersign/reading';
import sharp, { type Sharp } from 'sharp';
import { expect, it } from 'vitest';
import { pictureHash } from './picture-hash.ts';

const KNOWN = readFileSync(new URL('known.jpg', WEIGHTS_URL));
/** As the domain compares them. */
const SAME_MAX = 40;

async function hashOf(picture: Sharp): Promise<string> {
  const { data, info } = await sharp(await picture.jpeg().toBuffer())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return pictureHash({ width: info.width, height: info.height, data });
}

function differentBits(one: string, other: string): number {
  return [...(BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2)].filter((bit) => bit === '1').length;
}

/** One side of a card on a table: those of one number have the same layout as all others, and other tones and texts. */
function side(which: 'front' | 'back', number: number): Sharp {
  const bar = (x: number, y: number, width: number) =>
    `<rect x="${x}" y="${y}" width="${width}" height="14" fill="#333"/>`;
  const texts = [0, 1, 2, 3, 4].map((row) => bar(400, 210 + 34 * row, 60 + ((number * (row + 3) * 37) % 200)));
  const lines = [400, 430, 460].map((y) => bar(160, y, 480));
  const tone = 60 + ((number * 53) % 160);
  const shown =
    which === 'front'
      ? `<rect x="170" y="210" width="150" height="210" fill="rgb(${tone},${tone},${tone})"/>${texts.join('')}`
      : `<rect x="190" y="150" width="90" height="70" fill="#cb5"/>${bar(330, 150, 280)}${lines.join('')}`;
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#6a4a32"/><rect x="140" y="130" width="520" height="340" rx="20" fill="#dde6ee"/>${shown}</svg>`,
    ),
  );
}

it.each<[string, (picture: Sharp) => Sharp | Promise<Sharp>]>([
  ['saved again', async (picture) => sharp(await picture.jpeg({ quality: 40 }).toBuffer())],
  ['of half the size', (picture) => picture.resize(450)],
  ['brighter', (picture) => picture.modulate({ brightness: 1.2 })],
  ['cropped by 2 %', (picture) => picture.extract({ left: 9, top: 7, width: 885, height: 663 })],
])('a picture that is %s has almost the same hash', async (_, change) => {
  const other = await hashOf(await change(sharp(KNOWN)));
  expect(differentBits(await hashOf(sharp(KNOWN)), other)).toBeLessThanOrEqual(SAME_MAX);
});

it('the two sides of 20 cards on one table, all of one layout, have different hashes', async () => {
  for (let number = 0; number < 20; number += 1) {
    const [front, back] = [await hashOf(side('front', number)), await hashOf(side('back', number))];
    expect(differentBits(front, back)).toBeGreaterThan(2 * SAME_MAX);
  }
});

it('a picture of one tone, and one of a single pixel, have a hash', async () => {
  for (const size of [1, 100]) {
    const data = new Uint8Array(size * size).fill(90);
    expect(await pictureHash({ width: size, height: size, data })).toMatch(/^[0-9a-f]{64}$/);
  }
});
