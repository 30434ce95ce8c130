import type { Answer } from './console.ts';

/** A released copy of a person's data, as the page shows it once. */
export interface ReleasedCopy {
  /** The path of the link, below the base path. */
  readonly path: string;
  readonly code: string;
}

/** Reads link and code from the page that a release answers with. */
export function releasedCopyIn({ text, status }: Pick<Answer, 'text' | 'status'>, baseUrl: string): ReleasedCopy {
  const fieldOf = (id: string) => new RegExp(`id="${id}"[^>]* value="([^"]+)"`).exec(text)?.[1] ?? '';
  const link = fieldOf('export-link');
  if (!link.startsWith(baseUrl)) throw new Error(`The release was answered with ${status}, without a link`);
  return { path: link.slice(baseUrl.length), code: fieldOf('export-code') };
}
