/** Why a picture was not drawn. */
export type Refusal = 'damaged' | 'too_large' | 'too_heavy';

/**
 * What the decoder says of a picture, as a line of JSON. `whole`: it can be drawn only with the whole of it in memory,
 * for which there was no leave. Behind `drawn` follows the new picture, a JPEG.
 */
export type Answer =
  | { readonly outcome: 'drawn'; readonly warnings: readonly ('blur' | 'glare')[] }
  | { readonly outcome: 'whole' }
  | { readonly outcome: Refusal };

/** A picture that will not be drawn. */
export class RefusedPicture extends Error {
  override readonly name = 'RefusedPicture';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`The picture is refused: ${refusal}`);
    this.refusal = refusal;
  }
}

/** The first line of the decoder: from here on, whatever goes wrong is the picture's doing. */
export const READY = 'ready\n';
