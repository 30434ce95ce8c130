import type { GreyPicture } from '@countersign/reading';
import sharp from 'sharp';

/** The picture is drawn as a square of this many pixels. */
const SIDE = 64;
/** Frequencies across and down that are kept. */
const FREQUENCIES = 16;

/** The waves of the discrete cosine transform, one after the other. */
const WAVES = Array.from({ length: FREQUENCIES }, (_, frequency) =>
  Array.from({ length: SIDE }, (_, at) => Math.cos((Math.PI * frequency * (2 * at + 1)) / (2 * SIDE))),
);

function amplitudes(tones: Uint8Array): number[] {
  return WAVES.flatMap((down) => {
    const columns = Array.from({ length: SIDE }, (_, x) =>
      down.reduce((sum, weight, y) => sum + weight * (tones[y * SIDE + x] ?? 0), 0),
    );
    return WAVES.map((across) => across.reduce((sum, weight, x) => sum + weight * (columns[x] ?? 0), 0));
  });
}

/**
 * Returns a perceptual hash of a picture: 256 bits in hexadecimal. Pictures that look alike differ in few of them, even if one
 * was saved again, resized or brightened. Each bit says whether a low frequency is above the median; the first, the mean tone, is 0.
 */
export async function pictureHash({ width, height, data }: GreyPicture): Promise<string> {
  const tones = await sharp(data, { raw: { width, height, channels: 1 } })
    .resize(SIDE, SIDE, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  const [, ...all] = amplitudes(tones);
  const middle = all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
  const bits = `0${all.map((one) => (one > middle ? 1 : 0)).join('')}`;
  return bits.replace(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16));
}
