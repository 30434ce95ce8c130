import { readFileSync } from 'node:fs';
import { type MrzFields, parseMrz } from '@countersign/reading';

const PICTURES = new URL('../../reading/test-support/pictures/', import.meta.url);

/** Drawn documents that the reader reads, and that are large enough for an upload. */
const NAMES = [
  'td1-tilt-0-7017.jpg',
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
