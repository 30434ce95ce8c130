// @ts-check
// Shows a page that a request answered, without loading it.

/** @typedef {{ ok: boolean, url: string, document: Document, main: HTMLElement | null }} Answer */

/**
 * @param {{ ok: boolean, url: string, text: string }} response
 * @returns {Answer}
 */
export function parsePage({ ok, url, text }) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  return { ok, url, document: page, main: page.querySelector('main') };
}

/**
 * Submits a form of such a page.
 *
 * @param {HTMLFormElement} form
 * @returns {Promise<Answer | null>} null if there was no answer
 */
export async function submitted(form) {
  try {
    const fields = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']);
    const address = form.getAttribute('action') ?? '';
    const response = await fetch(address, { method: 'POST', body: new URLSearchParams(fields) });
    return parsePage({ ok: response.ok, url: response.url, text: await response.text() });
  } catch {
    return null;
  }
}

/**
 * Replaces the page. Its header stays if the page has another frame.
 *
 * @param {Answer} answer with a `main`
 * @param {'push' | 'replace' | 'keep'} history `push` for another page of the flow, `keep` for the answer to a refused form
 */
export function swapPage({ document: page, main, url }, history) {
  if (main === null) return;
  const header = page.querySelector('.site-header');
  if (header !== null) document.querySelector('.site-header')?.replaceWith(document.adoptNode(header));
  document.title = page.title;
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  if (history === 'push') window.history.pushState(null, '', url);
  if (history === 'replace') window.history.replaceState(null, '', url);
  shownPath = pathNow();
  scrollTo(0, 0);
}

const pathNow = () => location.pathname + location.search;
let shownPath = pathNow();

// Back leads to a page that is no longer in memory. A link within the page is none.
addEventListener('popstate', () => {
  if (pathNow() !== shownPath) location.reload();
});
