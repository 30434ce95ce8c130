/** Pixels of a picture at most: the domain's number, written here because the decoder's process loads no domain. */
export const PICTURE_MAX_PIXELS = 40_000_000;

/** A picture may be so many pixels long: a few rows of a very wide one alone could fill the memory. */
export const PICTURE_MAX_SIDE = 30_000;

/** What a picture that is not stored line by line may need in memory before it is made smaller. */
export const WHOLE_MAX_BYTES = 120_000_000;
