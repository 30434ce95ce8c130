import { randomBytes } from 'node:crypto';
import { PICTURE_MIN_SIDE } from '@countersign/domain/evidence';
import sharp, { type JpegOptions, type Sharp } from 'sharp';

/** Width of the picture of `card`. */
export const CARD_WIDTH = 1.6 * PICTURE_MIN_SIDE;

/**
 * Creates a sharp picture of a card with readable text. It is as small as the service accepts, because the server decodes each
 * picture of each test.
 */
export function card(text: string): Promise<Buffer> {
  return cardPixels(text, { width: CARD_WIDTH, height: PICTURE_MIN_SIDE }).jpeg({ quality: 85 }).toBuffer();
}

/** Creates the same picture out of focus. */
export function blurredCard(text: string): Promise<Buffer> {
  return cardPixels(text, { width: 1600, height: 1000 }).blur(12).jpeg().toBuffer();
}

/** Creates a JPEG of about `megabytes` from noise, which does not compress. */
export function noisyJpeg(megabytes: number): Promise<Buffer> {
  return noise(megabytes, { bytesOfPixel: 0.83, quality: 90 });
}

/**
 * Creates a JPEG of about `megabytes` from noise, of the best quality. It has less than a third of the pixels of `noisyJpeg`, and is
 * decoded in less than a third of the time.
 */
export function denseJpeg(megabytes: number): Promise<Buffer> {
  return noise(megabytes, { bytesOfPixel: 2.92, quality: 100, chromaSubsampling: '4:4:4' });
}

function noise(megabytes: number, { bytesOfPixel, ...options }: JpegOptions & { bytesOfPixel: number }) {
  const side = Math.round(Math.sqrt((megabytes * 1024 * 1024) / bytesOfPixel));
  const raw = { width: side, height: side, channels: 3 } as const;
  return sharp(randomBytes(side * side * 3), { raw })
    .jpeg(options)
    .toBuffer();
}

/** Creates a small valid PDF. */
export function pdf(text: string): Buffer {
  const stream = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(
    `%PDF-1.4\n${body}xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${body.length + 9}\n%%EOF\n`,
  );
}

function cardPixels(text: string, { width, height }: { width: number; height: number }): Sharp {
  const lines = Array.from({ length: 8 }, (_, n) => `<text x="80" y="${150 + n * 100}">${text} ${n}</text>`);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1000" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#d8e2dc"/>
    <g font-family="sans-serif" font-size="64" fill="#1d3557">${lines.join('')}</g>
    <rect x="1180" y="120" width="320" height="420" fill="#457b9d" stroke="#1d3557" stroke-width="12"/>
  </svg>`;
  return sharp(Buffer.from(drawing));
}
