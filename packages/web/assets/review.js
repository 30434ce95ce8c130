// @ts-check
// Adds zoom and rotation of pictures and shortcuts to the reviewer console, which also works without them.
import { startPictures } from './review-pictures.js';
import { startShortcuts } from './review-shortcuts.js';

startPictures();
startShortcuts();

// Not `autofocus`: after "back", a screen reader would announce the result again.
const result = document.querySelector('[data-result]');
if (result instanceof HTMLElement) result.focus();
