// @ts-check
// The reviewer console works without this. With it, pictures zoom and turn in place and single keys are shortcuts.
import { startPictures } from './review-pictures.js';
import { startShortcuts } from './review-shortcuts.js';

startPictures();
startShortcuts();

// `autofocus` is for the first load alone: after "back" the result would be read out again.
const result = document.querySelector('[data-result]');
if (result instanceof HTMLElement) result.focus();
