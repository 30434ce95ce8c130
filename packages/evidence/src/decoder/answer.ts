/** Why the decoder refused a file. */
export type Refusal = 'damaged' | 'too_large' | 'too_small' | 'too_complex' | 'encrypted';

/** What a reviewer should know about a PDF. */
export type PdfWarning = 'script' | 'attachment' | 'form' | 'launch' | 'pages_left_out';

/**
 * The decoder's answer, as a line of JSON. After `drawn` follow the new picture and its thumbnail, after `pages` the drawn pages and a
 * thumbnail of the first: JPEGs of these sizes. After `logo` follows the logo, a PNG.
 */
export type Answer =
  | {
      readonly outcome: 'drawn';
      readonly warnings: readonly ('blur' | 'glare')[];
      readonly sizes: readonly number[];
    }
  | { readonly outcome: 'logo'; readonly width: number; readonly height: number }
  | { readonly outcome: 'pages'; readonly warnings: readonly PdfWarning[]; readonly sizes: readonly number[] }
  | { readonly outcome: Refusal };

/** Thrown for a file that the decoder refuses. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`The file is refused: ${refusal}`);
    this.refusal = refusal;
  }
}

/** The decoder's first line. The file is the cause of every failure after it. */
export const READY = 'ready\n';
