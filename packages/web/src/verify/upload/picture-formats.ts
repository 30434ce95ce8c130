import { listInWords } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';

/** Formats that browsers offer in their file dialog, by content type. HEIC is never one of them: iPhones send JPEG then. */
const OFFERED = { 'image/jpeg': 'JPEG', 'image/png': 'PNG', 'image/webp': 'WebP' } as const;

/** Value of `accept` for pictures. */
export const PICTURE_TYPES: string = Object.keys(OFFERED).join();

/** Returns the formats that pictures may have: `JPEG, PNG or WebP`. */
export function pictureFormats({ acceptsHeic, language }: Pick<Page, 'acceptsHeic' | 'language'>): string {
  const names = [...Object.values(OFFERED), ...(acceptsHeic ? ['HEIC'] : [])];
  return listInWords(names, language, 'disjunction');
}
