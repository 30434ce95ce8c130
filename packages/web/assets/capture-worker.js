// @ts-check
// Measures the pictures of the camera beside the page, one after another.
import { maskOf, measure } from './capture-quality.js';

/** @type {import('./capture-quality.js').Grey | null} */
let before = null;

addEventListener('message', ({ data: { picture, shape } }) => {
  const { grey, ...measures } = measure(picture, maskOf(shape, picture.width, picture.height), before);
  before = grey;
  postMessage(measures);
});
