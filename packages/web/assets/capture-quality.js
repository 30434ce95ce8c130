// @ts-check
// Warns about a bad picture before a slow upload. The server checks it again.

/** Below this the edges of a picture are soft. Variance of the Laplacian, of grey values 0 to 255. */
const SHARP_FROM = 45;
/** From this grey value on, nothing can be read. */
const WHITE_FROM = 250;
/** A tile with a larger share of white than this is glare. */
const GLARE_FROM = 0.6;
const TILES = 8;
/** Width of the copy that is checked. */
const LOOK_WIDTH = 480;

/**
 * @param {HTMLCanvasElement} picture
 * @returns {'blur' | 'glare' | null} as `flawOf`
 */
export function flawOfCanvas(picture) {
  const small = document.createElement('canvas');
  small.width = Math.min(LOOK_WIDTH, picture.width);
  small.height = Math.max(1, Math.round((picture.height * small.width) / picture.width));
  const context = small.getContext('2d');
  if (context === null) return null;
  context.drawImage(picture, 0, 0, small.width, small.height);
  return flawOf(context.getImageData(0, 0, small.width, small.height));
}

/**
 * Returns what makes the picture hard to read.
 *
 * @param {{ width: number, height: number, data: Uint8ClampedArray }} picture a small one: some hundred pixels wide
 * @returns {'blur' | 'glare' | null}
 */
export function flawOf({ width, height, data }) {
  const grey = new Float32Array(width * height);
  for (let at = 0; at < grey.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at * 4, at * 4 + 3);
    grey[at] = 0.299 * red + 0.587 * green + 0.114 * blue;
  }
  if (sharpnessOf(grey, width, height) < SHARP_FROM) return 'blur';
  return hasGlare(grey, width, height) ? 'glare' : null;
}

/**
 * @param {Float32Array} grey
 * @param {number} width
 * @param {number} height
 */
function sharpnessOf(grey, width, height) {
  const valueAt = (/** @type {number} */ at) => grey[at] ?? 0;
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const edge = valueAt(at - width) + valueAt(at - 1) + valueAt(at + 1) + valueAt(at + width) - 4 * valueAt(at);
      sum += edge;
      squares += edge * edge;
      count += 1;
    }
  }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

/**
 * Whether some tiles are white and most are not. A white page on a white table is no glare.
 *
 * @param {Float32Array} grey
 * @param {number} width
 * @param {number} height
 */
function hasGlare(grey, width, height) {
  const white = new Uint32Array(TILES * TILES);
  const all = new Uint32Array(TILES * TILES);
  for (let at = 0; at < grey.length; at += 1) {
    const column = Math.floor(((at % width) * TILES) / width);
    const row = Math.floor((Math.floor(at / width) * TILES) / height);
    const tile = row * TILES + column;
    all[tile] = (all[tile] ?? 0) + 1;
    if ((grey[at] ?? 0) >= WHITE_FROM) white[tile] = (white[tile] ?? 0) + 1;
  }
  const burnt = Array.from(white, (count, tile) => count > GLARE_FROM * (all[tile] ?? 1)).filter(Boolean).length;
  return burnt > 0 && burnt < (TILES * TILES) / 3;
}
