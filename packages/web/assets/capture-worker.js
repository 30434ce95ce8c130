// @ts-check
// Measures the pictures of the camera beside the page, one after another, and looks for the lines of a document in some of them.
import { followLines } from './capture-lines.js';
import { maskOf, measure } from './capture-quality.js';

/** @typedef {import('./capture-lines.js').LineHint} LineHint */
/** @typedef {import('./capture-quality.js').Measures & { lineHint?: LineHint | null | undefined }} Judged without it, no lines are looked for */
/** @typedef {import('./capture-quality.js').Picture} Picture */
/** @typedef {MessageEvent<{ picture: Picture, shape: import('./capture-quality.js').Shape, hasLines: boolean }>} Asked */

/** Least time between two searches, so that a slow device has time for the rest. */
const SEARCHED_EVERY_MS = 350;

/** @type {import('./capture-quality.js').Grey | null} */
let before = null;
/** @type {ReturnType<typeof followLines> | null} */
let follow = null;
let isLoading = false;
/** @type {LineHint | null | undefined} */
let lineHint;
let searchedAt = Number.NEGATIVE_INFINITY;

/** Loads the finder, which most pages do not need. Without it, the other measures decide. */
async function loadFinder() {
  isLoading = true;
  try {
    const address = new URL('./finder.js', import.meta.url).href;
    const module = /** @type {{ findZones: import('./capture-lines.js').Finder }} */ (await import(address));
    follow = followLines(module.findZones);
    lineHint = null;
  } catch {
    follow = null;
  }
}

addEventListener('message', (/** @type {Asked} */ { data: { picture, shape, hasLines } }) => {
  const mask = maskOf(shape, picture.width, picture.height);
  const { grey, ...measures } = measure(picture, mask, before);
  before = grey;
  if (hasLines && !isLoading) void loadFinder();
  if (hasLines && follow !== null && performance.now() - searchedAt >= SEARCHED_EVERY_MS) {
    lineHint = follow(picture, shape, mask);
    searchedAt = performance.now();
  }
  postMessage({ ...measures, lineHint: hasLines ? lineHint : undefined });
});
