import { readFileSync } from 'node:fs';
import { type MrzFields, parseMrz, WEIGHTS_URL } from '@countersign/reading';
import sharp from 'sharp';

const PICTURES = new URL('../../reading/test-support/pictures/', import.meta.url);

/** Drawn documents that the reader reads, and that are large enough for an upload. */
const NAMES = [
  'td1-tilt-0-7024.jpg',
  'td2-clean-180-7004.jpg',
  'mrv-a-shadow-180-7015.jpg',
  'td3-perspective-180-7034.jpg',
  'mrv-b-mixed-90-7036.jpg',
] as const;

/** A drawn document. */
export interface ReadableDocument {
  readonly picture: Buffer;
  /** What its machine-readable zone says. */
  readonly fields: MrzFields;
}

/** The back of a drawn licence of the United States, and what of the text in its barcode is unique. */
export const READABLE_LICENCE = {
  unique: { 'number of a licence': 'T64235789', 'head of a barcode': '636014090001DL00310200' },
  /** The barcode, with margins: an upload must have 600 pixels each way. */
  picture: () =>
    sharp(readFileSync(new URL('known-licence.jpg', WEIGHTS_URL))).extend({
      top: 200,
      bottom: 200,
      background: '#eee',
    }),
} as const;

/** Returns one of five documents, by the remainder of `n`. */
export function readableDocument(n: number): ReadableDocument {
  const name = NAMES[n % NAMES.length] ?? NAMES[0];
  const truth = JSON.parse(readFileSync(new URL('truth.json', PICTURES), 'utf8')) as Record<
    string,
    { readonly lines: readonly string[] }
  >;
  const parsed = parseMrz(truth[name]?.lines ?? [], '2026-06-01');
  if (parsed === undefined) throw new Error(`${name} has no zone`);
  return { picture: readFileSync(new URL(name, PICTURES)), fields: parsed.fields };
}
