// @ts-check
// Fetches an export with a progress bar. Without it, the browser downloads the file.
import { createRowCounter } from './export-rows.js';

/** How often the status changes for a screen reader, in milliseconds. */
const TOLD_EVERY_MS = 2_000;
/** How long the blob is kept: a browser may still read it after the click. */
const KEPT_MS = 60_000;

for (const place of document.querySelectorAll('[data-export]')) {
  const parts = place instanceof HTMLElement ? partsOf(place) : null;
  if (parts !== null) start(parts);
}

/**
 * @typedef {{ place: HTMLElement, form: HTMLFormElement, button: HTMLButtonElement, cancel: HTMLButtonElement,
 *   progress: HTMLProgressElement, status: HTMLElement }} Parts
 */

/** @param {HTMLElement} place @returns {Parts | null} */
function partsOf(place) {
  const form = place.querySelector('form');
  const button = place.querySelector('button[type="submit"]');
  const cancel = place.querySelector('[data-export-cancel]');
  const progress = place.querySelector('progress');
  const status = place.querySelector('[role="status"]');
  return form !== null &&
    button instanceof HTMLButtonElement &&
    cancel instanceof HTMLButtonElement &&
    progress !== null &&
    status instanceof HTMLElement
    ? { place, form, button, cancel, progress, status }
    : null;
}

/** @param {Parts} parts */
function start(parts) {
  const { form, button, cancel } = parts;
  /** @type {AbortController | null} */
  let running = null;
  cancel.addEventListener('click', () => running?.abort());

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (running !== null) return;
    running = new AbortController();
    show(parts, true);
    cancel.focus();
    void exportTo(parts, running.signal).then(() => {
      running = null;
      show(parts, false);
      button.focus();
    });
  });
}

/** @param {Parts} parts @param {boolean} isRunning */
function show({ button, cancel, progress }, isRunning) {
  button.disabled = isRunning;
  cancel.hidden = !isRunning;
  progress.hidden = !isRunning;
}

/**
 * Fetches the whole file, then saves it: a partial file is never saved.
 *
 * @param {Parts} parts
 * @param {AbortSignal} signal
 */
async function exportTo(parts, signal) {
  const { place, form, progress } = parts;
  const counter = createRowCounter();
  let total = Number(place.dataset.total);
  let toldAt = Number.NEGATIVE_INFINITY;
  progress.value = 0;
  tell(parts, 'running', 0, total);
  try {
    const address = new URL(form.action);
    for (const field of form.querySelectorAll('input')) address.searchParams.append(field.name, field.value);
    const response = await fetch(address, { signal });
    if (response.redirected || !(response.headers.get('Content-Type') ?? '').startsWith('text/csv')) {
      // A page then says that the session has ended or the role does not allow this.
      if (response.status < 500) location.assign(address);
      throw new Error('The response is not an export');
    }
    // The list may have changed since the page was made.
    total = Number(response.headers.get('X-Total-Count'));
    progress.max = Math.max(1, total);

    const pieces = await piecesOf(response, (piece) => {
      counter.take(piece);
      progress.value = Math.min(counter.rows(), total);
      if (performance.now() - toldAt < TOLD_EVERY_MS) return;
      toldAt = performance.now();
      tell(parts, 'running', counter.rows(), total);
    });
    // A proxy may cut the response without an error.
    if (!counter.isWhole()) throw new Error('The export is incomplete');
    save(pieces, nameOf(response));
    tell(parts, 'done', counter.rows(), total);
  } catch {
    tell(parts, signal.aborted ? 'cancelled' : 'failed', counter.rows(), total);
  }
}

/** @param {Parts} parts @param {'running' | 'done' | 'cancelled' | 'failed'} what @param {number} rows @param {number} total */
function tell({ place, status }, what, rows, total) {
  const numbers = new Intl.NumberFormat(place.dataset.language === 'de' ? 'de' : 'en-GB');
  status.textContent = (place.dataset[what] ?? '')
    .replace('{rows}', numbers.format(rows))
    .replace('{total}', numbers.format(Math.max(rows, total)));
}

/**
 * @param {Response} response
 * @param {(piece: Uint8Array) => void} onPiece
 * @returns {Promise<Uint8Array<ArrayBuffer>[]>} all of it; rejects when it breaks off
 */
async function piecesOf(response, onPiece) {
  const reader = response.body?.getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    onPiece(value);
  }
  return pieces;
}

/** @param {Response} response @returns {string} the file's name as the service gives it */
function nameOf(response) {
  const header = response.headers.get('Content-Disposition') ?? '';
  return /filename="([\w.-]+)"/.exec(header)?.[1] ?? 'export.csv';
}

/** @param {Uint8Array<ArrayBuffer>[]} pieces @param {string} name */
function save(pieces, name) {
  const address = URL.createObjectURL(new Blob(pieces, { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
