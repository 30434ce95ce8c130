// @ts-check
// The desktop follows the phone: asks again and again how far it is, and moves on when everything is handed in.
// Without this there is a button to ask with.

const EVERY_MS = 2_500;
/** After faults, and when nothing has happened for a while, it asks less and less often. */
const LONGEST_MS = 20_000;
const QUIET_AFTER_MS = 5 * 60_000;

const place = document.querySelector('[data-handoff]');
if (place instanceof HTMLElement) follow(place);

// The link is there to be copied.
const link = document.querySelector('[data-handoff-link]');
if (link instanceof HTMLInputElement) link.addEventListener('focus', () => link.select());

/** @param {HTMLElement} place is swapped by htmx on each event `handoff-ask` */
function follow(place) {
  let wait = EVERY_MS;
  let timer = 0;
  let shown = place.innerHTML.trim();
  let changedAt = performance.now();

  function ask() {
    clearTimeout(timer);
    // Nobody looks at it: it asks when somebody does again.
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
    // The session or the link is over: the page itself says so.
    if (raw.redirected || (raw.status >= 400 && raw.status < 500 && raw.status !== 429)) location.reload();
    else slowDown();
  });

  place.addEventListener('htmx:before:swap', (event) => {
    const text = contextOf(event).text.trim();
    // A screen reader is told only what is new.
    if (text === shown) event.preventDefault();
    else changedAt = performance.now();
    shown = text;
  });

  place.addEventListener('htmx:error', slowDown);
  place.addEventListener('htmx:finally:request', askLater);
  askLater();
}

/**
 * What htmx tells of a request.
 *
 * @param {Event} event
 */
function contextOf(event) {
  return /** @type {CustomEvent<{ ctx: { response: { raw: Response }, text: string } }>} */ (event).detail.ctx;
}
