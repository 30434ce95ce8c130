// @ts-check
// Makes the upload pages better where the browser can: the camera, and a progress bar. Without it they work too.
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
 * Shows the page that says why a file was refused in place of this one.
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
