// @ts-check
// Measures the pictures of the camera beside the page, one after another.
import { maskOf, measure } from './capture-quality.js';

/** @type {import('./capture-quality.js').Grey | null} */
let before = null;

/** @typedef {MessageEvent<{ picture: import('./capture-quality.js').Picture, shape: import('./capture-quality.js').Shape }>} Asked */

addEventListener('message', (/** @type {Asked} */ { data: { picture, shape } }) => {
  const { grey, ...measures } = measure(picture, maskOf(shape, picture.width, picture.height), before);
  before = grey;
  postMessage(measures);
});
