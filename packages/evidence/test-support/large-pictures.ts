import { UPLOAD_MAX_BYTES } from '@countersign/domain/evidence';
import sharp, { type Sharp } from 'sharp';
import { heicOfPhone } from './heic.ts';

/** Pictures of 4 to 40 megapixels that are as large as an upload may be, in the ways that need most memory. */
export async function largePictures(): Promise<Readonly<Record<string, Uint8Array>>> {
  const filledUp = Object.entries(await pictures()).map(([name, content]) => [name, filled(content)]);
  return { ...Object.fromEntries(filledUp), 'phone.heic': filledHeic() };
}

/** Fills a file up with bytes behind the picture, which decoders ignore. */
function filled(content: Uint8Array): Uint8Array {
  const file = new Uint8Array(UPLOAD_MAX_BYTES).fill(0xff);
  file.set(content);
  return file;
}

/** Fills a HEIC up with a box that decoders skip. */
function filledHeic(): Uint8Array {
  const heic = heicOfPhone();
  const file = Buffer.alloc(UPLOAD_MAX_BYTES, 0xff);
  heic.copy(file);
  file.writeUInt32BE(UPLOAD_MAX_BYTES - heic.byteLength, heic.byteLength);
  file.write('free', heic.byteLength + 4, 'latin1');
  return file;
}

async function pictures(): Promise<Readonly<Record<string, Uint8Array>>> {
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
    'phone.jpg': await noisy().withMetadata({ orientation: 6 }).jpeg({ quality: 95, mozjpeg: false }).toBuffer(),
    // These two are decoded beside one of the others.
    'light.jpg': await noisy(4080, 3060).jpeg({ quality: 97, chromaSubsampling: '4:4:4' }).toBuffer(),
    'small.jpg': await noisy(2300, 1730).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer(),
    'progressive.jpg': await noisy().jpeg({ quality: 92, progressive: true }).toBuffer(),
    'plain.png': await patch(2840, 6200).png({ compressionLevel: 1 }).toBuffer(),
    'interlaced.png': await patch(2340, 5400).png({ compressionLevel: 1, progressive: true }).toBuffer(),
    'lossless.webp': await patch(2550, 5400).webp({ lossless: true, effort: 0 }).toBuffer(),
  };
}
