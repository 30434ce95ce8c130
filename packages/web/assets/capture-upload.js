// @ts-check
// Sends the form of an upload with a progress bar. Without it, the browser sends the form.

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

/** @type {WeakSet<HTMLFormElement>} */
const sending = new WeakSet();

/**
 * @param {HTMLFormElement} form
 * @param {(main: HTMLElement) => void} onPage is called with the page that says why the file was refused
 */
export function sendWithProgress(form, onPage) {
  const input = form.querySelector('input[type=file]');
  const progress = form.querySelector('progress');
  const status = form.querySelector('[data-upload-status]');
  const button = form.querySelector('button[type=submit]');
  if (!(input instanceof HTMLInputElement) || progress === null || status === null) return;

  /** @param {string} text name of a message of the form, or empty for none */
  const say = (text) => {
    status.textContent = form.dataset[text] ?? '';
  };

  /** @param {boolean} busy */
  const setBusy = (busy) => {
    if (busy) sending.add(form);
    else sending.delete(form);
    progress.hidden = !busy;
    button?.setAttribute('aria-disabled', String(busy));
  };

  form.addEventListener('submit', (event) => {
    const file = input.files?.[0];
    // The server says that the file is missing.
    if (file === undefined) return;
    event.preventDefault();
    if (sending.has(form)) return;
    forgetRefusal(form, input);
    if (file.size > Number(form.dataset.maxBytes)) {
      say('');
      refuseTooLarge(form, input);
      return;
    }
    setBusy(true);
    say('sending');
    progress.removeAttribute('value');

    const request = new XMLHttpRequest();
    request.open('POST', form.action);
    request.responseType = 'document';
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      progress.max = total;
      progress.value = loaded;
      if (loaded === total) say('checking');
    });
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) {
        location.assign(request.responseURL);
        return;
      }
      setBusy(false);
      const main = request.responseXML?.querySelector('main');
      if (main === undefined || main === null) say('notSent');
      else onPage(main);
    });
    for (const failure of ['error', 'abort', 'timeout']) {
      request.addEventListener(failure, () => {
        setBusy(false);
        say('notSent');
      });
    }
    request.send(new FormData(form));
  });

  // A page restored from the browser's memory is ready for another try.
  addEventListener('pageshow', () => {
    setBusy(false);
    say('');
  });
}
