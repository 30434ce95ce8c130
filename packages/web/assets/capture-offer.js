// @ts-check
// Offers the camera on an upload page, and says what to do without one.
import { cameraLayer } from './capture-layer.js';

/** Messages by the name of the exception (Media Capture and Streams, getUserMedia). */
const PROBLEMS = new Map([
  ['NotAllowedError', 'denied'],
  ['SecurityError', 'denied'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
]);

/** Beginnings of user agents, in this order: most browsers also name those that they descend from. */
const BROWSERS = /** @type {const} */ ([
  [/iPhone|iPad/, 'ios'],
  [/Android.*Firefox|Firefox.*Android/, 'firefox'],
  [/Android/, 'android'],
  [/Firefox/, 'firefox'],
  [/Edg|Chrome/, 'chrome'],
  [/Macintosh.*Safari/, 'safari'],
]);

/**
 * @param {string} userAgent
 * @returns {'ios' | 'android' | 'firefox' | 'chrome' | 'safari' | 'other'} whose settings allow the camera
 */
export function browserOf(userAgent) {
  return BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other';
}

/**
 * @param {unknown} error what the browser threw
 * @returns {string} `denied`, `missing`, `busy` or `failed`
 */
export function problemOf(error) {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  return PROBLEMS.get(name) ?? 'failed';
}

/**
 * Offers the camera of a form with a file input. Its texts and buttons stand in a `<template data-camera>`. On a page without
 * https, the file input with `capture` is all that browsers allow.
 *
 * @param {HTMLFormElement} form
 * @param {(answer: import('./capture-pages.js').Answer, history: 'push' | 'replace' | 'keep') => void} show
 */
export function offerCamera(form, show) {
  const template = form.querySelector('template[data-camera]');
  const input = form.querySelector('input[type=file]');
  const isSupported = isSecureContext && 'HTMLDialogElement' in window;
  if (!(template instanceof HTMLTemplateElement) || !(input instanceof HTMLInputElement) || !isSupported) return;
  const content = document.importNode(template.content, true);
  const dialog = content.querySelector('dialog');
  const open = content.querySelector('[data-camera-open]');
  const problem = content.querySelector('[data-camera-problem]');
  if (!(dialog instanceof HTMLDialogElement) || !(open instanceof HTMLButtonElement)) return;
  if (!(problem instanceof HTMLElement)) return;
  dialog.remove();
  template.replaceWith(content);

  /** @param {string} name */
  const explain = (name) => {
    for (const text of problem.querySelectorAll('[data-problem]')) {
      if (text instanceof HTMLElement) text.hidden = !text.dataset.problem?.split(' ').includes(name);
    }
    for (const steps of problem.querySelectorAll('[data-browser]')) {
      if (!(steps instanceof HTMLElement)) continue;
      steps.hidden = name !== 'denied' || steps.dataset.browser !== browserOf(navigator.userAgent);
    }
    problem.hidden = false;
  };
  problem.querySelector('[data-camera-choose]')?.addEventListener('click', () => input.click());

  // A browser within an app has no camera for pages.
  if (navigator.mediaDevices?.getUserMedia === undefined) {
    open.hidden = true;
    explain('absent');
    return;
  }
  input.removeAttribute('capture');
  const sending = form.querySelector('.next');
  const offerSending = () => {
    if (sending instanceof HTMLElement) sending.hidden = input.files?.length === 0;
  };
  offerSending();
  input.addEventListener('change', offerSending);

  const bind = () =>
    cameraLayer().bind({
      form,
      dialog,
      show,
      onClosed: (error) => {
        if (error !== undefined) explain(typeof error === 'string' ? error : problemOf(error));
        (error === undefined ? open : problem).focus();
      },
    });
  open.addEventListener('click', () => {
    problem.hidden = true;
    bind();
    void cameraLayer().open();
  });
  // The layer is open since the page before.
  if (cameraLayer().isOpen()) bind();
}
