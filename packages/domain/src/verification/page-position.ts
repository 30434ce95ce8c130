import { z } from 'zod';
import { invalidParameters } from '../errors.ts';
import { LAST_DAY } from '../fields/days.ts';
import { FIRST_DAY } from '../fields/schema.ts';

/** Characters of a position as text. */
export const POSITION_MAX = 100;

/** Where a page ends: the moment by which its list is ordered, and the id that breaks ties. */
interface PagePosition {
  readonly at: Date | null;
  readonly id: string;
}

/** Writes a position as text: `2026-03-01T10:00:00.000Z_{id}`, or `_{id}` without a moment. */
export function positionText({ at, id }: PagePosition): string {
  return `${at?.toISOString() ?? ''}_${id}`;
}

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)?_(.+)$/s;
const isId = (text: string): boolean => z.guid().safeParse(text).success;

/**
 * Parses the position of a page. A forged one is harmless: only what the caller may read can follow it.
 * @throws CountersignError `INVALID_PARAMETERS`
 */
export function parsePosition(text: string): PagePosition {
  const [, moment, id = ''] = POSITION.exec(text) ?? [];
  const at = moment === undefined ? null : new Date(moment);
  if (isId(id) && (at === null || (isMoment(at, moment) && isWithin(moment)))) return { at, id };
  throw invalidPosition();
}

/** The error of a page that begins nowhere. */
export function invalidPosition(): Error {
  return invalidParameters([
    { path: 'after', message: 'is not a position from an earlier page', code: 'invalid' },
  ]);
}

function isMoment(at: Date, text: string | undefined): boolean {
  return !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

function isWithin(moment = ''): boolean {
  return moment >= FIRST_DAY && moment <= `${LAST_DAY}T24`;
}
