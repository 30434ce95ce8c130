// @ts-check
// Follows the reading of a document. A page that waits for it is loaded again once it is over; a form offers what comes late.

const EVERY_MS = 500;
const LATE_EVERY_MS = 2_000;
/** A page is asked no longer: most readings that take longer never come. */
const LATE_FOR_MS = 30_000;

/** Leads to the form without the reading. */
const waiting = document.querySelector('a[data-reading-wait]');
if (waiting instanceof HTMLAnchorElement) {
  const { href, dataset } = waiting;
  follow(EVERY_MS, Number(dataset.readingWait), (page) => {
    if (page === null) location.replace(href);
    else if (page.querySelector('[data-reading-wait]') === null) location.reload();
    else return false;
    return true;
  });
}

if (document.querySelector('[data-reading=late]') !== null) {
  follow(LATE_EVERY_MS, LATE_FOR_MS, (page) => {
    const state = page?.querySelector('[data-reading]')?.getAttribute('data-reading');
    // The form may have been replaced.
    const offer = document.querySelector('[data-reading=late]');
    if (state === 'read' && offer instanceof HTMLElement) offer.hidden = false;
    return state !== 'late';
  });
}

/**
 * Loads this page again and again.
 *
 * @param {number} every in ms
 * @param {number} until in ms
 * @param {(page: Document | null) => boolean} isOver takes the page, or null at the end
 */
function follow(every, until, isOver) {
  const end = performance.now() + until;
  const ask = async () => {
    if (performance.now() >= end) {
      isOver(null);
      return;
    }
    const page = await loaded();
    if (page === null || !isOver(page)) setTimeout(() => void ask(), every);
  };
  setTimeout(() => void ask(), every);
}

/** @returns {Promise<Document | null>} null without an answer */
async function loaded() {
  try {
    const response = await fetch(location.href);
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : null;
  } catch {
    return null;
  }
}
