// @ts-check
// Adds the camera and a progress bar to upload pages. They also work without it.
import { offerCamera } from './capture-camera.js';
import { sendWithProgress } from './capture-upload.js';

function enhance() {
  for (const form of document.querySelectorAll('form[data-upload]')) {
    if (!(form instanceof HTMLFormElement)) continue;
    offerCamera(form);
    sendWithProgress(form, show);
  }
}

/**
 * Replaces the page with the one that says why a file was refused.
 *
 * @param {HTMLElement} main
 */
function show(main) {
  document.title = main.ownerDocument.title;
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  enhance();
  const summary = main.querySelector('.error-summary');
  if (summary instanceof HTMLElement) summary.focus();
}

enhance();
