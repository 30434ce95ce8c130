// @ts-check
// Adds zoom of pictures, decisions in place and shortcuts to the reviewer console, which also works without them.
import { startDecision } from './review-decision.js';
import { startPictures } from './review-pictures.js';
import { startShortcuts } from './review-shortcuts.js';

startPictures();
startDecision();
startShortcuts();

// Not `autofocus`: after "back", a screen reader would announce the result again.
const result = document.querySelector('[data-result]');
if (result instanceof HTMLElement) result.focus({ preventScroll: true });
