// @ts-check
// Polls the progress on the phone, and leaves the page when everything is submitted. Without it, a button asks.

const EVERY_MS = 2_500;
/** The longest wait, reached step by step after errors or without any change. */
const LONGEST_MS = 20_000;
const QUIET_AFTER_MS = 5 * 60_000;

const place = document.querySelector('[data-handoff]');
if (place instanceof HTMLElement) follow(place);

/** @param {HTMLElement} place htmx replaces its content on each event `handoff-ask` */
function follow(place) {
  let wait = EVERY_MS;
  let timer = 0;
  let shown = place.innerHTML.trim();
  let changedAt = performance.now();

  function ask() {
    clearTimeout(timer);
    // A hidden page asks again when it becomes visible.
    if (document.visibilityState === 'hidden') return;
    place.dispatchEvent(new Event('handoff-ask'));
  }

  function askLater() {
    clearTimeout(timer);
    const isQuiet = performance.now() - changedAt > QUIET_AFTER_MS;
    if (isQuiet) wait = Math.min(wait * 1.5, LONGEST_MS);
    timer = window.setTimeout(ask, wait);
  }

  function slowDown() {
    wait = Math.min(wait * 2, LONGEST_MS);
  }

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') ask();
  });

  place.addEventListener('htmx:before:response', (event) => {
    const { raw } = contextOf(event).response;
    if (raw.ok && !raw.redirected) {
      wait = EVERY_MS;
      return;
    }
    event.preventDefault();
    // The session or the link has ended. The reloaded page says so.
    if (raw.redirected || (raw.status >= 400 && raw.status < 500 && raw.status !== 429)) location.reload();
    else slowDown();
  });

  place.addEventListener('htmx:before:swap', (event) => {
    const text = contextOf(event).text.trim();
    // A screen reader announces only changes.
    if (text === shown) event.preventDefault();
    else changedAt = performance.now();
    shown = text;
  });

  place.addEventListener('htmx:error', slowDown);
  place.addEventListener('htmx:finally:request', askLater);
  askLater();
}

/**
 * Returns what htmx reports about a request.
 *
 * @param {Event} event
 */
function contextOf(event) {
  return /** @type {CustomEvent<{ ctx: { response: { raw: Response }, text: string } }>} */ (event).detail.ctx;
}
