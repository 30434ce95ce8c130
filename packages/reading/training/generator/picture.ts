import sharp from 'sharp';
import { CLASSES, type PictureClass, photograph } from './camera.ts';
import { drawDocument, type Types } from './document.ts';
import { loadGlyphs, loadWords } from './glyphs.ts';
import type { Point } from './projection.ts';
import { Random } from './random.ts';
import type { Raster } from './raster.ts';

const WORDS =
  // cspell:disable-next-line
  'Surname Name Nom Prénoms Given names Date of birth Nationality PASSPORT REISEPASS Identity card Sex Place Authority 12.08.1974 31 JAN 2031 L01X00T47 Müller ERIKA BERLIN Unterschrift Republic of 0123 456 789 Gültig bis VISA Type P< <<< Straße Kingdom CARD'.split(
    ' ',
  );

export interface DrawnPicture {
  readonly raster: Raster;
  readonly courses: readonly (readonly Point[])[];
  readonly lines: readonly string[];
  readonly format: string;
  readonly kind: PictureClass;
  readonly turned: number;
  readonly quality: number;
  /** Width of a character in pixels of the picture. */
  readonly unit: number;
}

export interface PictureOptions {
  readonly unit: readonly [low: number, high: number];
  /** Share of pictures without a zone. */
  readonly blank?: number;
}

export async function loadTypes(zoneFonts: readonly string[], wordFonts: readonly string[]): Promise<Types> {
  const glyphs = await Promise.all(zoneFonts.map(loadGlyphs));
  const words = await Promise.all(wordFonts.map((font) => loadWords(font, WORDS, 40)));
  return { glyphs, words: words.flat() };
}

/** The picture of this seed: a document with a zone, one without, or none. */
export function drawPicture(types: Types, seed: number, options: PictureOptions): DrawnPicture {
  const random = new Random(seed);
  const unit = random.between(...options.unit);
  const turned = random.chance(0.5) ? 0 : random.pick([90, 180, 270]);
  const kind = random.pick(CLASSES);
  const isBlank = random.chance(options.blank ?? 0);
  const isThing = isBlank && random.chance(0.5);
  const scale = (Math.min(36, Math.max(8, unit * 1.1)) * random.between(0.95, 1.05)) / 2.54;
  const document = isThing ? undefined : drawDocument(random, types, scale, isBlank);
  const { raster, courses, quality } = photograph(random, types, document, {
    kind: isThing ? 'clutter' : kind,
    unit,
    turned,
  });
  return {
    raster,
    courses,
    quality,
    turned,
    kind,
    unit,
    lines: document?.lines ?? [],
    format: document?.format ?? 'none',
  };
}

export async function encode(picture: DrawnPicture): Promise<Buffer> {
  const { width, height, data } = picture.raster;
  return await sharp(data, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: picture.quality })
    .toBuffer();
}
