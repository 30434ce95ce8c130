/**
 * Bounds on pictures, checked before they are decoded: a few bytes of structure can cost a decoder minutes. Each bound on
 * structure is several times what cameras, scanners and image editors write.
 */

/** Maximum number of pixels. Repeats the domain's limit, because the decoder's process does not load the domain. */
export const PICTURE_MAX_PIXELS = 40_000_000;

/** Minimum length of the shorter side in pixels. Repeats the domain's limit, too. */
export const PICTURE_MIN_SIDE = 600;

/** Maximum length of a side in pixels: a few rows of a very wide picture could fill the memory. */
export const PICTURE_MAX_SIDE = 30_000;

/** Maximum memory for pixels that a decoder holds at once: a WebP of 40 megapixels, or a progressive JPEG in full colour of 26. */
export const HELD_MAX_BYTES = 160_000_000;

/** Maximum number of pixels in the four colours of a printer: A4 at 350 dpi. Converting them takes ten times as long. */
export const CMYK_MAX_PIXELS = 12_000_000;

/** Passes of a JPEG over its pixels. Encoders write about 10, the most thorough 60; each costs 4 ms at 40 megapixels. */
export const JPEG_MAX_SCANS = 64;

/** Segments of a JPEG without its scans: tables, and metadata in parts of 64 KB, of which a file of 25 MB has room for 400. */
export const JPEG_MAX_SEGMENTS = 1000;

/** Chunks of a PNG with pixels. Most writers cut 25 MB into 3,200. */
export const PNG_MAX_PIXEL_CHUNKS = 20_000;

/** All other chunks of a PNG: palette, profile, texts. */
export const PNG_MAX_OTHER_CHUNKS = 250;

/** Size of the texts and profiles of a PNG once they are inflated. The largest profiles of printers have 4 MB. */
export const PNG_MAX_INFLATED_BYTES: number = 8 * 1024 * 1024;

/** Chunks of a WebP: header, picture, transparency, profile and metadata are six. */
export const WEBP_MAX_CHUNKS = 100;

/** Maximum number of pixels of a HEIC, a photo of a phone: its decoder holds it several times, 300 MB in all. */
export const HEIC_MAX_PIXELS = 25_000_000;

/** Items of a HEIC. A photo of a phone has up to 200 tiles of its picture and of its brightness. */
export const HEIC_MAX_ITEMS = 500;

/** Boxes of a HEIC that are read: its items, and their properties. */
export const HEIC_MAX_BOXES = 5000;

/** Size of all streams of a PDF once their filters are undone. Pictures are limited by their pixels. */
export const PDF_MAX_INFLATED_BYTES: number = 50 * 1024 * 1024;

/** Streams of a PDF: its pages, pictures, fonts and groups of objects. */
export const PDF_MAX_STREAMS = 20_000;

/** Maximum memory of WebAssembly in pages of 64 KB, 256 MB: for a PDF two copies of the streams above, and a picture of 40 megapixels. */
export const WASM_MAX_MEMORY_PAGES = 4096;
