// @ts-check
// Sends the file of an upload page with a progress bar. Without it, the browser sends the form.
import { parsePage } from './capture-pages.js';
import { prepared } from './capture-picture.js';

/** @typedef {import('./capture-pages.js').Answer} Answer */

/**
 * Sends a file as the form would.
 *
 * @param {HTMLFormElement} form
 * @param {File} file
 * @param {string | null} flaw what the browser has said about the picture; the next page repeats it
 * @param {(loaded: number, total: number) => void} onProgress
 * @returns {{ answer: Promise<Answer | null>, abort: () => void }} null if the file did not arrive
 */
export function sendFile(form, file, flaw, onProgress) {
  const input = form.querySelector('input[type=file]');
  const body = new FormData(form);
  body.set(input?.getAttribute('name') ?? '', file);
  const address = new URL(form.action);
  if (flaw !== null) address.searchParams.set('camera', flaw);
  const request = new XMLHttpRequest();
  request.open('POST', address);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
  const answer = new Promise((/** @type {(answer: Answer | null) => void} */ done) => {
    request.addEventListener('load', () => {
      const { status, responseURL, responseText } = request;
      done(parsePage({ ok: status >= 200 && status < 300, url: responseURL, text: responseText }));
    });
    for (const failure of ['error', 'abort', 'timeout']) request.addEventListener(failure, () => done(null));
  });
  request.send(body);
  return { answer, abort: () => request.abort() };
}

/**
 * Removes what the page says about an earlier file, which is not about this one.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} input
 */
function forgetRefusal(form, input) {
  document.querySelector('.error-summary')?.remove();
  for (const error of form.querySelectorAll('.field-error')) error.remove();
  for (const field of form.querySelectorAll('.has-error')) field.classList.remove('has-error');
  input.removeAttribute('aria-invalid');
  document.title = document.title.replace(form.dataset.errorPrefix ?? '', '');
}

/**
 * Says that the file is too large, as the server would: at the field, in a summary that takes the focus, and in the title.
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} input
 */
function refuseTooLarge(form, input) {
  const template = form.querySelector('template[data-too-large]');
  if (!(template instanceof HTMLTemplateElement)) return;
  const refusal = document.importNode(template.content, true);
  const summary = refusal.querySelector('.error-summary');
  const error = refusal.querySelector('.field-error');
  if (!(summary instanceof HTMLElement) || error === null) return;
  document.querySelector('h1')?.before(summary);
  input.before(error);
  input.closest('.field')?.classList.add('has-error');
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-describedby', `${input.id}-hint ${error.id}`);
  document.title = (form.dataset.errorPrefix ?? '') + document.title;
  summary.focus();
}

/**
 * Prepares a chosen file, says what is wrong with the picture, and sends it.
 *
 * @param {HTMLFormElement} form
 * @param {(answer: Answer) => void} onRefused is called with the page that says why the file was refused
 */
export function sendWithProgress(form, onRefused) {
  const input = form.querySelector('input[type=file]');
  const progress = form.querySelector('progress');
  const status = form.querySelector('[data-upload-status]');
  const button = form.querySelector('button[type=submit]');
  if (!(input instanceof HTMLInputElement) || progress === null || status === null) return;

  let isSending = false;
  /** @type {ReturnType<typeof prepared> | null} */
  let preparing = null;

  /** @param {string} text name of a message of the form, or empty for none */
  const say = (text) => {
    status.textContent = form.dataset[text] ?? '';
  };

  /** @param {boolean} busy */
  const setBusy = (busy) => {
    isSending = busy;
    progress.hidden = !busy;
    button?.setAttribute('aria-disabled', String(busy));
  };

  const prepare = async () => {
    const file = input.files?.[0];
    // The server takes the file as it is, or says what is wrong with it.
    preparing = file === undefined ? null : prepared(file).catch(() => ({ file, flaw: null }));
    const mine = preparing;
    say('');
    const flaw = (await mine)?.flaw ?? null;
    if (mine === preparing && !isSending) say(flaw ?? '');
  };

  const send = async () => {
    if (isSending) return;
    setBusy(true);
    progress.removeAttribute('value');
    if (preparing === null) void prepare();
    const ready = await preparing;
    if (ready === null) return setBusy(false);
    if (ready.file.size > Number(form.dataset.maxBytes)) {
      setBusy(false);
      say('');
      return refuseTooLarge(form, input);
    }
    say('sending');
    const { answer } = sendFile(form, ready.file, ready.flaw, (loaded, total) => {
      progress.max = total;
      progress.value = loaded;
      if (loaded === total) say('checking');
    });
    const page = await answer;
    if (page?.ok) return location.assign(page.url);
    setBusy(false);
    if (page === null || page.main === null) say('notSent');
    else onRefused(page);
  };

  input.addEventListener('change', () => void prepare());
  form.addEventListener('submit', (event) => {
    // The server says that the file is missing.
    if (input.files?.[0] === undefined) return;
    event.preventDefault();
    if (isSending) return;
    forgetRefusal(form, input);
    send().catch(() => {
      setBusy(false);
      say('notSent');
    });
  });

  // A page restored from the browser's memory is ready for another try.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    setBusy(false);
    say('');
  });
}
