// @ts-check
// Decides from the measures of a live picture what to say, and when to take the picture.
import { flawOf } from './capture-quality.js';

/** @typedef {'dark' | 'still' | 'closer' | 'glare' | 'tilted' | 'cut' | 'sought' | 'found' | 'good'} Hint */

/** From this mean difference of grey values on, the camera or the document moves. */
const MOVES_FROM = 8;
/** Share of the mask that the document or the face must span. */
const FILLED_FROM = 0.75;
/** Below this contrast there is no document, only a table or a wall. */
const SOMETHING_FROM = 12;
/** How long a picture must be good before it is taken. */
const GOOD_FOR_MS = 1_000;
/** How long without lines as they should be, because the document may have none. */
const GOOD_WITHOUT_LINES_MS = 4_000;
/** How long a hint must hold before it is shown, and stays, so that the line does not flicker. */
const HOLDS_MS = 400;
const STAYS_MS = 1_000;
/** Shortest time between two hints that a screen reader says. */
const SAID_EVERY_MS = 3_000;

/**
 * Returns the hint for one picture.
 *
 * @param {import('./capture-quality.js').Measures} measures
 * @param {import('./capture-lines.js').LineHint | null} [lineHint] what the lines of the document say; null if none are seen, undefined
 * if none are looked for
 * @returns {Hint}
 */
export function hintOf(measures, lineHint) {
  const flaw = flawOf(measures);
  if (flaw === 'dark') return 'dark';
  if (measures.motion >= MOVES_FROM) return 'still';
  if (lineHint && lineHint !== 'found') return lineHint;
  if (flaw === 'blur') return measures.contrast < SOMETHING_FROM ? 'closer' : 'still';
  if (measures.fill < FILLED_FROM) return 'closer';
  if (flaw !== null) return flaw;
  return lineHint === undefined ? 'good' : (lineHint ?? 'sought');
}

/**
 * Follows the hints of a live picture.
 *
 * @returns {(hint: Hint, at: number, plain?: Hint) => { shown: Hint | null, said: Hint | null, release: boolean }} takes the hint for the
 * picture at a time in ms, and what it would be without lines; returns what the line shows, what a screen reader says, and whether to
 * take the picture
 */
export function createGuide() {
  /** @type {Hint | null} */
  let last = null;
  let since = 0;
  /** @type {Hint | null} */
  let lastPlain = null;
  let plainSince = 0;
  /** @type {Hint | null} */
  let shown = null;
  let shownAt = 0;
  /** @type {Hint | null} */
  let said = null;
  let saidAt = Number.NEGATIVE_INFINITY;
  return (hint, at, plain = hint) => {
    if (hint !== last) {
      last = hint;
      since = at;
    }
    if (plain !== lastPlain) {
      lastPlain = plain;
      plainSince = at;
    }
    if (shown === null || (hint !== shown && at - since >= HOLDS_MS && at - shownAt >= STAYS_MS)) {
      shown = hint;
      shownAt = at;
    }
    if (shown !== said && at - saidAt >= SAID_EVERY_MS) {
      said = shown;
      saidAt = at;
    }
    const isSure = (hint === 'good' || hint === 'found') && at - since >= GOOD_FOR_MS;
    return { shown, said, release: isSure || (plain === 'good' && at - plainSince >= GOOD_WITHOUT_LINES_MS) };
  };
}
