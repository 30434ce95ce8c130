import { Buffer } from 'node:buffer';
import sharp from 'sharp';
import { densityOf, type Frame, inPicture, lay } from './camera.ts';
import { grain, type Light, lit } from './light.ts';
import type { Random } from './random.ts';
import { type Sheet, sheetSvg } from './sheet.ts';
import { surroundings } from './surroundings.ts';

sharp.concurrency(1);
sharp.cache(false);

/** Something that lies over the sheet from one place to another, in millimetres of the sheet. */
export interface Cover {
  readonly kind: 'finger' | 'pen' | 'paper' | 'ink';
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly width: number;
}

/** What happens between the sheet and the file. */
export interface Exposure {
  readonly light: Light;
  readonly bend: number;
  readonly clutter: number;
  readonly covers: readonly Cover[];
  /** Standard deviation of the blur, in pixels. */
  readonly blur: number;
  /** Length of the blur of a moved camera, in pixels, and its direction. */
  readonly motion: number;
  /** Of the JPEG file. */
  readonly quality: number;
}

const INKS: Readonly<Record<Cover['kind'], string>> = {
  finger: '#c98f6e',
  pen: '#1d3f8f',
  paper: '#efeee9',
  ink: '#1b1b2a',
};

function coverSvg(frame: Frame, covers: readonly Cover[]): Buffer {
  const shapes = covers.map(({ kind, from, to, width }) => {
    const [[x1, y1], [x2, y2], [x3, y3]] = [
      inPicture(frame, ...from),
      inPicture(frame, ...to),
      inPicture(frame, from[0] + width, from[1]),
    ];
    const thick = Math.hypot(x3 - x1, y3 - y1);
    const cap = kind === 'paper' ? 'butt' : 'round';
    const line = (ink: string, share: number, rest = '') =>
      `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${ink}" stroke-width="${thick * share}" stroke-linecap="${cap}" ${rest}/>`;
    const shade = kind === 'ink' ? '' : line('#000', 1.12, 'opacity=".25"');
    const gloss = kind === 'finger' ? line('#e0ac8b', 0.55, 'opacity=".7"') : '';
    const nail = kind === 'finger' ? `<circle cx="${x2}" cy="${y2}" r="${thick * 0.33}" fill="#e8c3b0"/>` : '';
    return shade + line(INKS[kind], 1) + gloss + nail;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${frame.width}" height="${frame.height}">${shapes.join('')}</svg>`,
  );
}

function motionKernel(random: Random, length: number): { width: number; height: number; kernel: number[] } {
  const size = Math.max(3, Math.ceil(length) | 1);
  const angle = random.between(0, Math.PI);
  const kernel = Array.from({ length: size * size }, () => 0);
  const middle = (size - 1) / 2;
  for (let i = 0; i < 64; i += 1) {
    const t = (i / 63 - 0.5) * length;
    const at = Math.round(middle + t * Math.sin(angle)) * size + Math.round(middle + t * Math.cos(angle));
    if (at >= 0 && at < kernel.length) kernel[at] += 1;
  }
  return { width: size, height: size, kernel };
}

/** Photographs the sheet. Returns a JPEG file. */
export async function photographed(
  random: Random,
  sheet: Sheet,
  frame: Frame,
  exposure: Exposure,
): Promise<Buffer> {
  const { width, height } = frame;
  const raw = { raw: { width, height, channels: 3 as const } };
  const drawn = await sharp(Buffer.from(sheetSvg(sheet, densityOf(frame, sheet))), { unlimited: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let picture = await surroundings(random, width, height, frame.corners, exposure.clutter);
  const { info, data } = drawn;
  lay(picture, frame, sheet, { data, width: info.width, height: info.height }, exposure.bend);
  if (exposure.covers.length > 0) {
    picture = await sharp(picture, raw)
      .composite([{ input: coverSvg(frame, exposure.covers) }])
      .removeAlpha()
      .raw()
      .toBuffer();
  }
  lit(random, picture, width, height, exposure.light);
  if (exposure.motion > 1)
    picture = await sharp(picture, raw).convolve(motionKernel(random, exposure.motion)).raw().toBuffer();
  if (exposure.blur >= 0.3) picture = await sharp(picture, raw).blur(exposure.blur).raw().toBuffer();
  if (exposure.light.noise > 0) grain(random, picture, exposure.light.noise);
  return sharp(picture, raw).jpeg({ quality: exposure.quality }).toBuffer();
}
