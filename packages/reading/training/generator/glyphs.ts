import { readFileSync } from 'node:fs';
import opentype from 'opentype.js';
import sharp from 'sharp';
import type { Raster } from './raster.ts';

export const MRZ_CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';

/** Each glyph lies in a cell of this size: ink 255 on 0, its origin at `left`, `baseline`, one advance `pitch` wide. */
export const CELL = { width: 60, height: 72, left: 6, baseline: 60, pitch: 48 } as const;

export type Glyphs = ReadonlyMap<string, Raster>;

function parseFont(path: string): opentype.Font {
  const file = readFileSync(path);
  return opentype.parse(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
}

async function ink(path: opentype.Path, width: number, height: number): Promise<Raster> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/><path fill="#fff" d="${path.toPathData(2)}"/></svg>`;
  const { data } = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width, height, data: new Uint8Array(data) };
}

/** The characters of machine-readable lines, drawn with the font at this path. */
export async function loadGlyphs(path: string): Promise<Glyphs> {
  const font = parseFont(path);
  const advance = font.charToGlyph('H').advanceWidth ?? font.unitsPerEm;
  const size = (CELL.pitch * font.unitsPerEm) / advance;
  const drawn = await Promise.all(
    [...MRZ_CHARACTERS].map(
      async (character) =>
        [
          character,
          await ink(font.getPath(character, CELL.left, CELL.baseline, size), CELL.width, CELL.height),
        ] as const,
    ),
  );
  return new Map(drawn);
}

/** Words that stand elsewhere on a document, each cut to its own size. */
export async function loadWords(path: string, words: readonly string[], size: number): Promise<Raster[]> {
  const font = parseFont(path);
  return await Promise.all(
    words.map((word) =>
      ink(
        font.getPath(word, 2, size, size),
        Math.ceil(font.getAdvanceWidth(word, size)) + 4,
        Math.ceil(size * 1.3),
      ),
    ),
  );
}
