// @ts-check
// Judges the lines of a machine-readable zone in a live picture: whether they are level, near enough and whole.

/** @typedef {import('./capture-quality.js').Area} Area */
/** @typedef {import('./capture-quality.js').Picture} Picture */
/** @typedef {readonly [number, number]} Point */
/** @typedef {{ from: Point, to: Point }} Line in pixels of the picture */
/** @typedef {'found' | 'tilted' | 'closer' | 'cut'} LineHint what the lines say about a picture */
/** @typedef {(picture: { width: number, height: number, data: Uint8Array }, side: number) => readonly (readonly Line[])[]} Finder */

/** Lines take 76 of 86 mm of a card, and 112 of 125 mm of the page of a passport. */
const SHARE_OF_DOCUMENT = 0.89;
/** Share of the mask's width that the document must span. */
const NEAR_FROM = 0.72;
/** Degrees from which on lines are tilted. A person who holds a document by hand is a few off. */
const TILTED_FROM = 8;
/** Space that must be visible beside the lines and above the last one, as shares of their length: a little less than documents have. */
const MARGIN = 0.04;
const HEIGHT = 0.6;
/** How many pictures in a row must say the same. One that says something else is noise. */
const AGREEING = 2;
/** Longest sides of the copies that are searched: the lines of a document that fills the mask must be a few cells of the finder apart. */
const SIDES = { card: [224, 288], passport: [288, 320], face: [] };

/**
 * Returns what the lines say about a picture.
 *
 * @param {readonly Line[]} lines of one zone
 * @param {Area} mask where the document should be
 * @param {{ width: number, height: number }} picture
 * @returns {LineHint}
 */
export function lineHintOf(lines, mask, picture) {
  if (isCut(lines, picture)) return 'cut';
  const longest = lines.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a));
  if (lengthOf(longest) < mask.width * SHARE_OF_DOCUMENT * NEAR_FROM) return 'closer';
  const [right, down] = stepsOf(longest);
  const angle = Math.atan2(Math.abs(down), Math.abs(right)) * (180 / Math.PI);
  return angle >= TILTED_FROM ? 'tilted' : 'found';
}

/**
 * Whether the document goes on beyond the picture. It is on that side of its lines on which the picture has more room.
 *
 * @param {readonly Line[]} lines
 * @param {{ width: number, height: number }} picture
 */
function isCut(lines, { width, height }) {
  /** How far the middle of the picture is from a line, above or below it. */
  const room = (/** @type {Line} */ line) => {
    const [right, down] = stepsOf(line);
    const { from, to } = line;
    return ((height - from[1] - to[1]) * right - (width - from[0] - to[0]) * down) / 2 / lengthOf(line);
  };
  const isOutside = (/** @type {number} */ x, /** @type {number} */ y, margin = 0) =>
    Math.min(x, y, width - x, height - y) < margin;
  if (lines.some((line) => [line.from, line.to].some(([x, y]) => isOutside(x, y, lengthOf(line) * MARGIN)))) {
    return true;
  }
  const last = lines.reduce((a, b) => (Math.abs(room(b)) > Math.abs(room(a)) ? b : a));
  const [right, down] = stepsOf(last);
  const away = room(last) < 0 ? -HEIGHT : HEIGHT;
  return [last.from, last.to].some(([x, y]) => isOutside(x - down * away, y + right * away));
}

/**
 * @param {Line} line
 * @returns {Point} how far it runs to the right and down
 */
function stepsOf({ from, to }) {
  return [to[0] - from[0], to[1] - from[1]];
}

/** @param {Line} line */
function lengthOf(line) {
  return Math.hypot(...stepsOf(line));
}

/**
 * Follows the lines from picture to picture.
 *
 * @param {Finder} findZones
 * @returns {(picture: Picture, shape: import('./capture-quality.js').Shape, mask: Area) => LineHint | null} what the last pictures
 * agree on; null while they show no lines
 */
export function followLines(findZones) {
  /** @type {LineHint | null} */
  let agreed = null;
  /** @type {LineHint | null} */
  let last = null;
  let times = 0;
  let size = 0;
  return (picture, shape, mask) => {
    const sides = SIDES[shape];
    const [lines] = findZones(greyOf(picture), sides[size % sides.length] ?? 0);
    if (lines === undefined) size += 1;
    const lineHint = lines === undefined ? null : lineHintOf(lines, mask, picture);
    times = lineHint === last ? times + 1 : 1;
    last = lineHint;
    if (times >= AGREEING) agreed = lineHint;
    return agreed;
  };
}

/** @param {Picture} picture */
function greyOf({ width, height, data }) {
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1) {
    grey[at] = 0.299 * (data[at * 4] ?? 0) + 0.587 * (data[at * 4 + 1] ?? 0) + 0.114 * (data[at * 4 + 2] ?? 0);
  }
  return { width, height, data: grey };
}
