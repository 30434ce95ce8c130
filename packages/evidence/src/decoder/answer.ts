/** Why the decoder refused a picture. */
export type Refusal = 'damaged' | 'too_large';

/** The decoder's answer, as a line of JSON. After `drawn` follows the new picture, a JPEG. */
export type Answer =
  | { readonly outcome: 'drawn'; readonly warnings: readonly ('blur' | 'glare')[] }
  | { readonly outcome: Refusal };

/** Thrown for a picture that the decoder refuses. */
export class RefusedPicture extends Error {
  override readonly name = 'RefusedPicture';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`The picture is refused: ${refusal}`);
    this.refusal = refusal;
  }
}

/** The decoder's first line. The picture is the cause of every failure after it. */
export const READY = 'ready\n';
