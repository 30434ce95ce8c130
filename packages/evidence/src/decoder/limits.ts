/** Maximum number of pixels. Repeats the domain's limit, because the decoder's process does not load the domain. */
export const PICTURE_MAX_PIXELS = 40_000_000;

/** Maximum length of a side in pixels: a few rows of a very wide picture could fill the memory. */
export const PICTURE_MAX_SIDE = 30_000;

/** Maximum memory for a picture that is not stored line by line, before it is scaled down. */
export const WHOLE_MAX_BYTES = 120_000_000;
