// @ts-check
// Zooms and rotates pictures. Each lies in a frame that scrolls, so wheel, touch, scroll bars and arrow keys work as usual.

const QUARTER = 90;
const FULL_TURN = 360;
const ZOOM_STEP = 1.25;
const ZOOM_MAX = 8;

/** @typedef {{ zoom: number, turn: number }} View */

/** @type {Record<string, (view: View) => View>} */
const ACTIONS = {
  zoomIn: (view) => ({ ...view, zoom: Math.min(ZOOM_MAX, view.zoom * ZOOM_STEP) }),
  zoomOut: (view) => ({ ...view, zoom: Math.max(1, view.zoom / ZOOM_STEP) }),
  rotate: (view) => ({ ...view, turn: (view.turn + QUARTER) % FULL_TURN }),
  reset: () => ({ zoom: 1, turn: 0 }),
};

/** @type {Record<string, string>} */
const KEYS = { '+': 'zoomIn', '=': 'zoomIn', '-': 'zoomOut', '−': 'zoomOut', r: 'rotate', 0: 'reset' };

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ARROW_PIXELS = 60;

export function startPictures() {
  for (const figure of document.querySelectorAll('[data-picture]')) startPicture(figure);
}

/** @param {Element} figure */
function startPicture(figure) {
  const frame = figure.querySelector('[data-frame]');
  const sheet = figure.querySelector('[data-sheet]');
  const image = figure.querySelector('img');
  if (!(frame instanceof HTMLElement && sheet instanceof HTMLElement && image)) return;

  /** @type {View} */
  let view = { zoom: 1, turn: 0 };
  const show = () => layOut({ frame, sheet, image }, view);

  /** @param {string | undefined} name */
  const act = (name) => {
    const action = ACTIONS[name ?? ''];
    if (action === undefined) return false;
    const middle = middleOf(frame);
    view = action(view);
    show();
    scrollToMiddle(frame, middle);
    return true;
  };

  const controls = figure.querySelector('[data-controls]');
  if (controls instanceof HTMLElement) {
    controls.hidden = false;
    controls.addEventListener('click', ({ target }) => {
      const button = target instanceof Element ? target.closest('[data-do]') : null;
      if (button instanceof HTMLElement) act(button.dataset.do);
    });
  }
  figure.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (act(KEYS[event.key]) || move(frame, event.key, view)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });

  figure.classList.add('can-adjust');
  if (image.complete) show();
  image.addEventListener('load', show);
  new ResizeObserver(show).observe(frame);
}

/**
 * Moves a picture that is larger than its frame. Otherwise arrow keys scroll the page.
 * @param {HTMLElement} frame
 * @param {string} key
 * @param {View} view
 */
function move(frame, key, view) {
  const arrow = ARROWS[key];
  if (arrow === undefined || view.zoom === 1) return false;
  frame.scrollBy(arrow[0] * ARROW_PIXELS, arrow[1] * ARROW_PIXELS);
  return true;
}

/**
 * Lays out the picture. At zoom 1 it fits into the frame in any rotation.
 * @param {{ frame: HTMLElement, sheet: HTMLElement, image: HTMLImageElement }} parts
 * @param {View} view
 */
function layOut({ frame, sheet, image }, { zoom, turn }) {
  const { naturalWidth, naturalHeight } = image;
  if (naturalWidth === 0 || naturalHeight === 0) return;
  const lies = turn % (2 * QUARTER) !== 0;
  const [width, height] = lies ? [naturalHeight, naturalWidth] : [naturalWidth, naturalHeight];
  const { width: outerWidth, height: outerHeight } = frame.getBoundingClientRect();
  // Without the borders. A scroll bar of an earlier zoom does not count: at zoom 1 it goes away.
  const frameWidth = outerWidth - 2 * frame.clientLeft;
  const frameHeight = outerHeight - 2 * frame.clientTop;
  const scale = Math.min(frameWidth / width, frameHeight / height) * zoom;
  sheet.style.width = `${Math.max(frameWidth, width * scale)}px`;
  sheet.style.height = `${Math.max(frameHeight, height * scale)}px`;
  image.style.width = `${naturalWidth * scale}px`;
  image.style.height = `${naturalHeight * scale}px`;
  image.style.transform = `translate(-50%, -50%) rotate(${turn}deg)`;
  frame.classList.toggle('is-zoomed', zoom > 1);
}

/**
 * Returns the point in the middle of the frame, as fractions of the whole.
 * @param {HTMLElement} frame
 */
function middleOf(frame) {
  const x = (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth;
  const y = (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight;
  return { x, y };
}

/**
 * @param {HTMLElement} frame
 * @param {{ x: number, y: number }} middle
 */
function scrollToMiddle(frame, { x, y }) {
  frame.scrollTo(x * frame.scrollWidth - frame.clientWidth / 2, y * frame.scrollHeight - frame.clientHeight / 2);
}
