import sharp, { type Sharp } from 'sharp';

/** Pictures of 4 to 40 megapixels that are nearly as large as a file may be, in the ways that need most memory. */
export async function largePictures(): Promise<Readonly<Record<string, Uint8Array>>> {
  const noise = await sharp({
    create: {
      width: 1825,
      height: 1369,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  const noisy = (width = 7300, height = 5475): Sharp =>
    sharp(noise).resize(width, height, { kernel: 'cubic', fit: 'fill' });
  // A patch of noise, which no coding makes smaller, in a large bare picture.
  const patch = (side: number, whole: number): Sharp =>
    sharp(noise)
      .resize(side, side, { kernel: 'nearest' })
      .ensureAlpha(0.5)
      .extend({ right: whole - side, bottom: whole - side, background: '#c009' });
  return {
    'phone.jpg': await noisy().withMetadata({ orientation: 6 }).jpeg({ quality: 70, mozjpeg: false }).toBuffer(),
    // These two are decoded beside one of the others.
    'light.jpg': await noisy(4080, 3060).jpeg({ quality: 80, chromaSubsampling: '4:4:4' }).toBuffer(),
    'small.jpg': await noisy(2300, 1730).jpeg({ quality: 97, chromaSubsampling: '4:4:4' }).toBuffer(),
    'progressive.jpg': await noisy().jpeg({ quality: 70, progressive: true }).toBuffer(),
    'plain.png': await patch(1750, 6200).png({ compressionLevel: 1 }).toBuffer(),
    'interlaced.png': await patch(1450, 5400).png({ compressionLevel: 1, progressive: true }).toBuffer(),
    'lossless.webp': await patch(1500, 5400).webp({ lossless: true, effort: 0 }).toBuffer(),
  };
}
