// @ts-check
// Single keys as shortcuts. `data-key` names the key of a link or a part of the page.
// They can be switched off (WCAG 2.1.4): the page then has data-shortcuts="off".

import { open, pressInForm } from './review-decision.js';
import { pressAtPicture } from './review-pictures.js';

const TEXT_ENTRY = 'textarea, select, input:not([type=checkbox]):not([type=radio]):not([type=submit])';

export function startShortcuts() {
  const page = document.querySelector('[data-shortcuts]');
  if (!(page instanceof HTMLElement) || page.dataset.shortcuts !== 'on') return;
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches(TEXT_ENTRY)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    if (press(event.key)) event.preventDefault();
  });
}

/**
 * @param {string} key
 * @returns {boolean} whether it was a shortcut
 */
function press(key) {
  if (key === 'j') return moveBy(1);
  if (key === 'k') return moveBy(-1);
  if (key === 'w') return nextWarning();
  if (pressInForm(key)) return true;
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (target === null) return pressAtPicture(key);
  if (target instanceof HTMLDialogElement) target.showModal();
  else if (target instanceof HTMLAnchorElement) target.click();
  else if (target instanceof HTMLElement) reveal(target);
  return true;
}

/** @param {HTMLElement} part */
function reveal(part) {
  if (part instanceof HTMLDetailsElement) open(part);
  else part.focus();
}

let warning = -1;

/** Shows the next warning beside its answer, and focuses the row. */
function nextWarning() {
  const marks = [...document.querySelectorAll('.warning-mark')];
  const row = marks[(warning + 1) % marks.length]?.closest('tr, section, details');
  if (!(row instanceof HTMLElement)) return false;
  warning += 1;
  location.replace(`#${row.id}`);
  row.closest('details')?.setAttribute('open', '');
  row.focus();
  return true;
}

/**
 * Focuses the next or previous case of the list. Enter opens it, as any link.
 * @param {1 | -1} direction
 */
function moveBy(direction) {
  const cases = [...document.querySelectorAll('[data-case]')];
  if (cases.length === 0) return false;
  const here = document.activeElement === null ? -1 : cases.indexOf(document.activeElement);
  const next = cases[here === -1 && direction === -1 ? cases.length - 1 : here + direction];
  if (next instanceof HTMLElement) next.focus();
  return true;
}
