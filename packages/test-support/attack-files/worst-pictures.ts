import { randomBytes } from 'node:crypto';
import { PICTURE_MIN_SIDE } from '@countersign/domain/evidence';
import sharp, { type Sharp } from 'sharp';

/**
 * Pictures within all limits of the intake that take its decoder longest, each in another way: nearly 10 MB, 40 megapixels,
 * or as much as its kind may have.
 * @param scale of their sides: less than 1 makes harmless pictures of the same kinds
 */
export async function worstPictures(scale = 1): Promise<readonly Buffer[]> {
  const noise = await noisy(1800, 1350);
  const stretched = (width: number, height: number): Sharp => scaled(noise, width * scale, height * scale);
  const pictures = [
    stretched(4000, 3000).toColourspace('cmyk').jpeg({ quality: 20 }),
    stretched(7300, 5475).webp({ quality: 50, effort: 0 }),
    stretched(7300, 5475).jpeg({ quality: 65, progressive: true }),
    // The longest of those that count as a photo of a phone, and as a picture of a webcam.
    stretched(4080, 3060).withIccProfile('p3').jpeg({ quality: 80, chromaSubsampling: '4:4:4' }),
    stretched(2300, 1730).withIccProfile('p3').jpeg({ quality: 97, chromaSubsampling: '4:4:4' }),
  ];
  return Promise.all(pictures.map((picture) => picture.toBuffer()));
}

/**
 * A photo as the page takes it with a camera, and one of 12 megapixels as a phone stores it.
 * @param scale of their sides
 */
export async function usualPictures(scale = 1): Promise<Readonly<Record<'camera' | 'phone', Buffer>>> {
  const noise = await noisy(800, 600);
  const photo = (width: number, height: number): Promise<Buffer> =>
    scaled(noise, width * scale, height * scale)
      .jpeg({ quality: 80 })
      .toBuffer();
  return { camera: await photo(1920, 1440), phone: await photo(4032, 3024) };
}

/** @returns the picture in this size, or in the least that the service accepts */
function scaled(picture: Buffer, width: number, height: number): Sharp {
  const [across, down] = [width, height].map((side) => Math.max(PICTURE_MIN_SIDE, Math.round(side)));
  return sharp(picture).resize(across, down, { kernel: 'cubic', fit: 'fill' });
}

function noisy(width: number, height: number): Promise<Buffer> {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
