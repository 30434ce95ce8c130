// @ts-check
// Zooms, rotates and brightens pictures. Each lies in a frame that scrolls, so wheel, touch, scroll bars and arrow keys work as usual.

const QUARTER = 90;
const FULL_TURN = 360;
const ZOOM_STEP = 1.25;
const WHEEL_STEP = 1.1;
const ZOOM_MAX = 8;

/** @typedef {{ zoom: number, turn: number, light: number }} View */

const BEGIN = { zoom: 1, turn: 0, light: 0 };
/** Brightness of a picture, in turn. */
const LIGHTS = [1, 1.5, 2.2, 0.7];

/** @type {Record<string, (view: View) => View>} */
const ACTIONS = {
  zoomIn: (view) => zoomed(view, ZOOM_STEP),
  zoomOut: (view) => zoomed(view, 1 / ZOOM_STEP),
  rotate: (view) => ({ ...view, turn: (view.turn + QUARTER) % FULL_TURN }),
  brighten: (view) => ({ ...view, light: (view.light + 1) % LIGHTS.length }),
  reset: () => BEGIN,
};

/** @type {Record<string, string>} */
const KEYS = {
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  '−': 'zoomOut',
  r: 'rotate',
  b: 'brighten',
  f: 'fill',
  0: 'reset',
};

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ARROW_PIXELS = 60;

/** What a key does with each picture. @type {Map<Element, (key: string) => boolean>} */
const pictures = new Map();

export function startPictures() {
  for (const figure of document.querySelectorAll('[data-picture]')) startPicture(figure);
}

/**
 * Does with the picture in view what a key says.
 * @param {string} key
 * @returns {boolean} whether it was a key of pictures
 */
export function pressAtPicture(key) {
  for (const [figure, press] of pictures) if (figure.checkVisibility()) return press(key);
  return false;
}

/**
 * @param {View} view
 * @param {number} factor
 * @returns {View}
 */
function zoomed(view, factor) {
  return { ...view, zoom: Math.min(ZOOM_MAX, Math.max(1, view.zoom * factor)) };
}

/** @param {Element} figure */
function startPicture(figure) {
  const frame = figure.querySelector('[data-frame]');
  const sheet = figure.querySelector('[data-sheet]');
  const image = figure.querySelector('img');
  if (!(frame instanceof HTMLElement && sheet instanceof HTMLElement && image)) return;

  /** @type {View} */
  let view = BEGIN;
  const show = () => layOut({ frame, sheet, image }, view);

  /** @param {View} next */
  const change = (next) => {
    const middle = middleOf(frame);
    view = next;
    show();
    scrollToMiddle(frame, middle);
  };

  /** @param {string | undefined} name */
  const act = (name) => {
    if (name === 'fill') {
      void (document.fullscreenElement === null ? figure.requestFullscreen() : document.exitFullscreen());
      return true;
    }
    const action = ACTIONS[name ?? ''];
    if (action !== undefined) change(action(view));
    return action !== undefined;
  };
  pictures.set(figure, (key) => act(KEYS[key]) || move(frame, key, view));

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
  startPointers(frame, (factor) => change(zoomed(view, factor)));

  figure.classList.add('can-adjust');
  if (image.complete) show();
  image.addEventListener('load', show);
  new ResizeObserver(show).observe(frame);
}

/**
 * Zooms with the wheel and with two fingers, and moves with one. A click without a move opens the picture, as any link.
 * @param {HTMLElement} frame
 * @param {(factor: number) => void} zoom
 */
function startPointers(frame, zoom) {
  /** @type {Map<number, { x: number, y: number }>} */
  const down = new Map();
  let hasMoved = false;
  const spread = () => {
    const [a, b] = [...down.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  frame.addEventListener(
    'wheel',
    (event) => {
      // Beside the answers the page scrolls elsewhere; below them, on narrow pages, only a pinch zooms.
      if (!event.ctrlKey && !matchMedia('(min-width: 64rem)').matches) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? WHEEL_STEP : 1 / WHEEL_STEP);
    },
    { passive: false },
  );
  frame.addEventListener('dragstart', (event) => event.preventDefault());
  frame.addEventListener('pointerdown', ({ pointerId, clientX: x, clientY: y }) => {
    hasMoved = false;
    down.set(pointerId, { x, y });
  });
  addEventListener('pointermove', ({ pointerId, pointerType, clientX: x, clientY: y }) => {
    const before = down.get(pointerId);
    if (before === undefined) return;
    const wide = spread();
    down.set(pointerId, { x, y });
    if (Math.hypot(x - before.x, y - before.y) > 1) hasMoved = true;
    if (down.size === 2) zoom(spread() / wide);
    // A finger scrolls the frame by itself.
    else if (pointerType === 'mouse') frame.scrollBy(before.x - x, before.y - y);
  });
  for (const end of ['pointerup', 'pointercancel'])
    addEventListener(end, (event) => event instanceof PointerEvent && down.delete(event.pointerId));
  frame.addEventListener('click', (event) => hasMoved && event.preventDefault());
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
function layOut({ frame, sheet, image }, { zoom, turn, light }) {
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
  image.style.filter = light === 0 ? '' : `brightness(${LIGHTS[light]})`;
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
