import sharp from 'sharp';

/** Maximum length of the longer side of a thumbnail, in pixels. */
const THUMBNAIL_SIDE = 320;
const QUALITY = 75;

/** Draws a small copy of a picture that this process has drawn, as JPEG. */
export function drawThumbnail(picture: Uint8Array): Promise<Uint8Array> {
  return sharp(picture)
    .resize({ width: THUMBNAIL_SIDE, height: THUMBNAIL_SIDE, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}
