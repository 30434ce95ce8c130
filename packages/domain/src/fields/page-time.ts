import type { Field } from './field.ts';
import type { Page } from './pages.ts';

const MINUTE_SECONDS = 60;
/** To open a page and to read what it asks. */
const PAGE_SECONDS = 15;
/** To answer a field by typing or choosing. */
const FIELD_SECONDS = 10;
/** To take a picture, or to read the text that a statement confirms. */
const LONG_FIELD_SECONDS = 45;
/** Up to here minutes are exact, so that the time left does not halve from one page to the next. */
const EXACT_MINUTES = 10;
/** A longer time is estimated in steps of as many minutes. */
const ESTIMATE_STEP = 5;

/**
 * Estimates how many minutes a subject needs for pages: rounded up to the minute, from ten minutes on to the nearest five.
 * 0 for no page.
 */
export function minutesFor(pages: readonly Page[]): number {
  const seconds = pages.reduce((sum, page) => sum + secondsFor(page), 0);
  const minutes = seconds / MINUTE_SECONDS;
  return minutes <= EXACT_MINUTES ? Math.ceil(minutes) : ESTIMATE_STEP * Math.round(minutes / ESTIMATE_STEP);
}

function secondsFor({ fields }: Page): number {
  return fields.reduce((sum, { field }) => sum + secondsOf(field), PAGE_SECONDS);
}

function secondsOf(field: Field): number {
  if (field.by !== undefined && field.by !== 'subject') return 0;
  switch (field.kind) {
    case 'group':
    case 'rows':
      return Object.values(field.fields).reduce((sum, part) => sum + secondsOf(part), 0);
    case 'file':
    case 'statement':
      return LONG_FIELD_SECONDS;
    default:
      return FIELD_SECONDS;
  }
}
