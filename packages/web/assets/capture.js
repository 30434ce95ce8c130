// @ts-check
// Adds the camera and a progress bar to upload pages. They also work without it.
import { offerCamera } from './capture-offer.js';
import { swapPage } from './capture-pages.js';
import { sendWithProgress } from './capture-upload.js';

/** @typedef {import('./capture-pages.js').Answer} Answer */

function enhance() {
  const form = document.querySelector('form[data-upload]');
  if (!(form instanceof HTMLFormElement)) return;
  offerCamera(form, show);
  sendWithProgress(form, (answer) => show(answer, 'keep'));
}

/**
 * Replaces the page, and moves the focus to what it says.
 *
 * @param {Answer} answer
 * @param {'push' | 'replace' | 'keep'} history
 */
function show(answer, history) {
  swapPage(answer, history);
  enhance();
  const news = document.querySelector('.error-summary') ?? document.querySelector('main');
  if (news instanceof HTMLElement) news.focus();
}

enhance();
