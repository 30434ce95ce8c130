// @ts-check
// Draws pictures before they are sent: at most 3,000 pixels, as JPEG.
import { flawOf, measure } from './capture-quality.js';

const LONGEST = 3000;
const JPEG = 'image/jpeg';
const JPEG_QUALITY = 0.92;
/** The server takes these as they are. */
const KEPT = [JPEG, 'image/png', 'image/webp'];
/** Longest side of the copy that is judged, as on the server. */
const JUDGED = 1024;

/**
 * Returns the size of a picture that is at most `longest` pixels long.
 *
 * @param {number} width
 * @param {number} height
 */
export function fitted(width, height, longest = LONGEST) {
  const scale = Math.min(1, longest / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Draws a picture onto a canvas, smaller if need be.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasImageSource} source
 * @param {{ width: number, height: number }} size of the source
 * @param {number} [longest]
 */
export function draw(canvas, source, size, longest) {
  Object.assign(canvas, fitted(size.width, size.height, longest));
  const context = canvas.getContext('2d', { willReadFrequently: canvas.width <= JUDGED });
  if (context === null) return null;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return context;
}

/**
 * @param {HTMLCanvasElement} picture
 * @returns {import('./capture-quality.js').Flaw | null} what makes it hard to read; null too if the browser fails to judge it
 */
export function flawOfCanvas(picture) {
  try {
    const small = document.createElement('canvas');
    const pixels = draw(small, picture, picture, JUDGED)?.getImageData(0, 0, small.width, small.height);
    return pixels === undefined
      ? null
      : flawOf(measure(pixels, { x: 0, y: 0, ...fitted(small.width, small.height) }));
  } catch {
    return null;
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<File | null>} null if there is no memory for it
 */
export async function fileOfCanvas(canvas, name = 'picture.jpg') {
  const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ done) => {
    canvas.toBlob(done, JPEG, JPEG_QUALITY);
  });
  return blob === null ? null : new File([blob], name, { type: JPEG });
}

/**
 * Draws a chosen picture smaller, and as JPEG if the server may not read it. What this browser cannot draw stays as it is: a
 * PDF, or HEIC outside Safari.
 *
 * @param {File} file
 * @returns {Promise<{ file: File, flaw: import('./capture-quality.js').Flaw | null }>}
 */
export async function prepared(file) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return { file, flaw: null };
  const canvas = document.createElement('canvas');
  draw(canvas, bitmap, bitmap);
  const isKept = KEPT.includes(file.type) && canvas.width === bitmap.width && canvas.height === bitmap.height;
  bitmap.close();
  const drawn = isKept ? file : await fileOfCanvas(canvas, file.name.replace(/(\.\w+)?$/, '.jpg'));
  return { file: drawn ?? file, flaw: flawOfCanvas(canvas) };
}
