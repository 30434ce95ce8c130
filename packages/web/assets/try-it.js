// @ts-check
// Forms that send requests to the API. A key lives in the key fields of this page and in the requests, nowhere else: no
// storage, no address, no message. Keys and responses are removed when the page is left.

const forms = [...document.querySelectorAll('[data-try-it] form')].filter(
  (form) => form instanceof HTMLFormElement,
);

for (const part of document.querySelectorAll('[data-try-it]')) {
  if (part instanceof HTMLElement) part.hidden = false;
}

for (const form of forms) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}

// The id of what was just created, from the form that created it.
const createdId = new URLSearchParams(location.search).get('id');
const idField = document.querySelector('[data-in="path"][data-parameter="id"]');
if (createdId !== null && idField instanceof HTMLInputElement) idField.value = createdId;

addEventListener('pagehide', () => {
  for (const form of forms) clear(form);
});

for (const choice of document.querySelectorAll('select[data-fills]')) {
  const body = document.getElementById(choice.getAttribute('data-fills') ?? '');
  if (!(choice instanceof HTMLSelectElement) || !(body instanceof HTMLTextAreaElement)) continue;
  choice.addEventListener('change', () => {
    body.value = choice.value;
  });
}

/** @param {HTMLFormElement} form */
async function send(form) {
  if (form.getAttribute('aria-busy') === 'true') return;
  form.setAttribute('aria-busy', 'true');
  showStatus(form, 'Waiting for the response …');
  try {
    const { url, init } = requestOf(form);
    const startedAt = performance.now();
    const response = await fetch(url, init).catch(() => {
      throw new Error('No response arrived. Check that the service runs and that you are online.');
    });
    const text = await textIn(response);
    const milliseconds = Math.round(performance.now() - startedAt);
    showResponse(form, response, text);
    showNext(form, response.status, text);
    showStatus(form, `${response.status} ${response.statusText} after ${milliseconds} ms.`);
  } catch (error) {
    hideResponse(form);
    showStatus(form, error instanceof Error ? error.message : String(error));
  } finally {
    form.removeAttribute('aria-busy');
  }
}

/**
 * Returns the body as text; of a file, its type and size.
 *
 * @param {Response} response
 */
async function textIn(response) {
  if (!response.headers.has('Content-Disposition')) return await response.text();
  const { type, size } = await response.blob();
  return `A file: ${type}, ${size} bytes.`;
}

/**
 * Makes the request of a form. Empty fields are left out; the service says what it misses.
 *
 * @param {HTMLFormElement} form
 * @returns {{ url: string, init: RequestInit }}
 */
function requestOf(form) {
  const target = form.querySelector('[data-method]');
  const headers = new Headers({ Accept: 'application/json' });
  const query = new URLSearchParams();
  let path = target?.getAttribute('data-url') ?? '';
  for (const field of form.querySelectorAll('[data-parameter]')) {
    const name = field.getAttribute('data-parameter') ?? '';
    const value = textOf(field);
    const place = field.getAttribute('data-in');
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '' && place === 'query') query.set(name, value);
    else if (value !== '') setHeader(headers, name, value);
  }
  const key = form.querySelector('[data-api-key]');
  if (key !== null && textOf(key) !== '') setHeader(headers, key.getAttribute('data-api-key') ?? '', textOf(key));
  const body = textOf(form.querySelector('[data-body]'));
  if (body !== '') headers.set('Content-Type', 'application/json');
  return {
    url: query.size === 0 ? path : `${path}?${query}`,
    init: {
      method: target?.getAttribute('data-method') ?? 'GET',
      headers,
      body: body === '' ? null : body,
      // The API reads the key alone, and a redirect would take it elsewhere.
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    },
  };
}

/** @param {Headers} headers @param {string} name @param {string} value */
function setHeader(headers, name, value) {
  try {
    headers.set(name, value);
  } catch {
    throw new Error(`Not sent: ${name} has characters that a header cannot carry. Correct the field.`);
  }
}

/** @param {Element | null} field */
function textOf(field) {
  const isField =
    field instanceof HTMLInputElement ||
    field instanceof HTMLSelectElement ||
    field instanceof HTMLTextAreaElement;
  return isField ? field.value : '';
}

/** @param {HTMLFormElement} form @param {string} text */
function showStatus(form, text) {
  const status = form.querySelector('[role="status"]');
  if (status !== null) status.textContent = text;
}

/** @param {HTMLFormElement} form */
function hideResponse(form) {
  const box = form.querySelector('.try-response');
  if (!(box instanceof HTMLElement)) return;
  box.hidden = true;
  box.querySelector('dl')?.replaceChildren();
  box.querySelector('code')?.replaceChildren();
  showNext(form, 0, '');
}

/** @param {HTMLFormElement} form */
function clear(form) {
  const key = form.querySelector('[data-api-key]');
  if (key instanceof HTMLInputElement) key.value = '';
  hideResponse(form);
  showStatus(form, '');
}

/** @param {HTMLFormElement} form @param {Response} response @param {string} text */
function showResponse(form, response, text) {
  const box = form.querySelector('.try-response');
  const list = box?.querySelector('dl');
  const code = box?.querySelector('code');
  if (!(box instanceof HTMLElement) || !list || !code) return;
  const names = form.querySelector('[data-shown-headers]')?.getAttribute('data-shown-headers')?.split(' ') ?? [];
  list.replaceChildren(
    ...names.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [element('dt', name), element('dd', value)];
    }),
  );
  code.textContent = indented(text);
  box.hidden = false;
}

/** @param {string} tag @param {string} text */
function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** @param {string} text */
function indented(text) {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** @param {string} text @returns {unknown} undefined for any other text than JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Shows the link to the operation that reads what was created. It takes the id along.
 *
 * @param {HTMLFormElement} form
 * @param {number} status
 * @param {string} text
 */
function showNext(form, status, text) {
  const id = status === 201 ? idIn(parsed(text)) : undefined;
  const next = form.querySelector('.try-next');
  const link = next?.querySelector('a');
  if (!(next instanceof HTMLElement) || !link) return;
  next.hidden = id === undefined;
  const address = new URL(link.href);
  if (id !== undefined) address.searchParams.set('id', id);
  link.href = address.href;
}

/** @param {unknown} value @returns {string | undefined} */
function idIn(value) {
  if (typeof value !== 'object' || value === null || !('data' in value)) return undefined;
  const { data } = value;
  if (typeof data !== 'object' || data === null || !('id' in data)) return undefined;
  return typeof data.id === 'string' ? data.id : undefined;
}
