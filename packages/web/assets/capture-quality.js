// @ts-check
// Measures pictures: brightness, sharpness, glare, fill and motion. Pure functions of pixels. The server judges again.

/** @typedef {{ width: number, height: number, data: Uint8ClampedArray }} Picture some hundred pixels wide, four bytes a pixel */
/** @typedef {{ x: number, y: number, width: number, height: number }} Area */
/** @typedef {'card' | 'passport' | 'face'} Shape */
/** @typedef {'dark' | 'blur' | 'glare'} Flaw */
/**
 * @typedef {object} Measures of the part of a picture within the mask
 * @property {number} brightness mean grey value, 0 to 255
 * @property {number} sharpness variance of the Laplacian in the sharpest squares
 * @property {boolean} glare
 * @property {number} fill share of the mask's width or height, whichever is less, that has edges
 * @property {number} contrast standard deviation of the grey values
 * @property {number} motion mean difference to the picture before, in grey values
 */

/** Width by height: ISO/IEC 7810 ID-1 (a card), ID-3 (the page of a passport), and a face. */
const RATIOS = { card: 85.6 / 54, passport: 125 / 88, face: 3 / 4 };
/** Share of the picture that the mask takes. */
const MASK_SHARE = 0.88;

/** Below this mean grey value a picture is too dark. */
const BRIGHT_FROM = 50;
/** Below this the edges of a picture are soft, as on the server. */
const SHARP_FROM = 60;
/** Side of the squares that are measured, and the share of the sharpest that decides: most of a document is bare. */
const SQUARE = 32;
const SHARPEST = 0.03;
/** From this grey value on, nothing can be read. */
const WHITE_FROM = 250;
/** A tile with a larger share of white than this is glare. */
const GLARE_FROM = 0.6;
const TILES = 8;
/** Difference of neighbouring grey values that is an edge and no noise, and the share of a strip that must have it. */
const EDGE_FROM = 24;
const EDGES_FROM = 0.01;
const STRIPS = 24;

/**
 * Returns where the mask is in a picture.
 *
 * @param {Shape} shape
 * @param {number} width
 * @param {number} height
 * @returns {Area}
 */
export function maskOf(shape, width, height) {
  const ratio = RATIOS[shape];
  const across = Math.min(width, height * ratio) * MASK_SHARE;
  const down = across / ratio;
  return { x: (width - across) / 2, y: (height - down) / 2, width: across, height: down };
}

/**
 * Measures the part of a picture within an area.
 *
 * @param {Picture} picture
 * @param {Area} area
 * @returns {Measures & { grey: Grey }} `grey` is what the next picture is compared with
 */
export function measure(picture, area, /** @type {Grey | null} */ before = null) {
  const grey = greyOf(picture, area);
  return {
    brightness: meanOf(grey.values),
    sharpness: sharpnessOf(grey),
    glare: hasGlare(grey),
    fill: fillOf(grey),
    contrast: contrastOf(grey.values),
    motion: motionOf(grey, before),
    grey,
  };
}

/**
 * Returns what makes a picture hard to read.
 *
 * @param {Pick<Measures, 'brightness' | 'sharpness' | 'glare'>} measures
 * @returns {Flaw | null}
 */
export function flawOf({ brightness, sharpness, glare }) {
  if (brightness < BRIGHT_FROM) return 'dark';
  if (sharpness < SHARP_FROM) return 'blur';
  return glare ? 'glare' : null;
}

/** @typedef {{ width: number, height: number, values: Uint8Array }} Grey */

/**
 * @param {Picture} picture
 * @param {Area} area
 * @returns {Grey}
 */
function greyOf({ width: row, height: rows, data }, area) {
  const left = Math.max(0, Math.floor(area.x));
  const top = Math.max(0, Math.floor(area.y));
  const width = Math.max(0, Math.min(row - left, Math.floor(area.width)));
  const height = Math.max(0, Math.min(rows - top, Math.floor(area.height)));
  const values = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = ((top + y) * row + left + x) * 4;
      values[y * width + x] = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
    }
  }
  return { width, height, values };
}

/** @param {Uint8Array} values */
function meanOf(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @param {Uint8Array} values */
function contrastOf(values) {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return values.length === 0 ? 0 : Math.sqrt(squares / values.length);
}

/**
 * Returns the variance of the Laplacian that the sharpest squares reach.
 * @param {Grey} grey
 */
function sharpnessOf(grey) {
  const variances = [];
  for (let top = 1; top < grey.height - 1; top += SQUARE) {
    for (let left = 1; left < grey.width - 1; left += SQUARE) variances.push(varianceAt(grey, left, top));
  }
  variances.sort((a, b) => b - a);
  return variances[Math.floor(variances.length * SHARPEST)] ?? 0;
}

/**
 * @param {Grey} grey
 * @param {number} left
 * @param {number} top
 */
function varianceAt({ width, height, values }, left, top) {
  const valueAt = (/** @type {number} */ at) => values[at] ?? 0;
  let sum = 0;
  let squares = 0;
  let count = 0;
  for (let y = top; y < Math.min(top + SQUARE, height - 1); y += 1) {
    for (let x = left; x < Math.min(left + SQUARE, width - 1); x += 1) {
      const at = y * width + x;
      const edge = valueAt(at - width) + valueAt(at - 1) + valueAt(at + 1) + valueAt(at + width) - 4 * valueAt(at);
      sum += edge;
      squares += edge * edge;
      count += 1;
    }
  }
  return squares / count - (sum / count) ** 2;
}

/**
 * Whether some tiles are white and most are not. A white page on a white table is no glare.
 * @param {Grey} grey
 */
function hasGlare({ width, height, values }) {
  const white = new Uint32Array(TILES * TILES);
  const all = new Uint32Array(TILES * TILES);
  values.forEach((value, at) => {
    const column = Math.floor(((at % width) * TILES) / width);
    const tile = Math.floor((Math.floor(at / width) * TILES) / height) * TILES + column;
    all[tile] = (all[tile] ?? 0) + 1;
    if (value >= WHITE_FROM) white[tile] = (white[tile] ?? 0) + 1;
  });
  const burnt = white.filter((count, tile) => count > GLARE_FROM * (all[tile] ?? 1)).length;
  return burnt > 0 && burnt < (TILES * TILES) / 3;
}

/**
 * Returns how much of the area something with edges takes: a document before it is near enough leaves bare strips at the sides.
 * @param {Grey} grey
 */
function fillOf({ width, height, values }) {
  const columns = new Uint32Array(STRIPS);
  const rows = new Uint32Array(STRIPS);
  for (let y = 0; y < height - 1; y += 1) {
    for (let x = 0; x < width - 1; x += 1) {
      const at = y * width + x;
      const here = values[at] ?? 0;
      const step = Math.max(Math.abs(here - (values[at + 1] ?? 0)), Math.abs(here - (values[at + width] ?? 0)));
      if (step < EDGE_FROM) continue;
      const column = Math.floor((x * STRIPS) / width);
      const row = Math.floor((y * STRIPS) / height);
      columns[column] = (columns[column] ?? 0) + 1;
      rows[row] = (rows[row] ?? 0) + 1;
    }
  }
  const enough = (width * height * EDGES_FROM) / STRIPS;
  return Math.min(spanOf(columns, enough), spanOf(rows, enough));
}

/**
 * @param {Uint32Array} strips
 * @param {number} enough
 */
function spanOf(strips, enough) {
  const filled = Array.from(strips.keys()).filter((index) => (strips[index] ?? 0) > enough);
  const [first] = filled;
  return first === undefined ? 0 : ((filled.at(-1) ?? first) - first + 1) / STRIPS;
}

/**
 * @param {Grey} grey
 * @param {Grey | null} before
 */
function motionOf({ width, height, values }, before) {
  if (before === null || before.width !== width || before.height !== height) return 0;
  let sum = 0;
  values.forEach((value, at) => {
    sum += Math.abs(value - (before.values[at] ?? 0));
  });
  return values.length === 0 ? 0 : sum / values.length;
}
