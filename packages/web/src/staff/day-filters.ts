import type { Days } from '@countersign/domain';
import type { Translate } from '../site/messages.ts';
import type { Filter, FilterValues } from './filters.tsx';

/** The filters by first and last day in UTC, named `from` and `until`. */
export function dayFilters(labels: { readonly from: string; readonly until: string }): readonly Filter[] {
  return [
    { name: 'from', type: 'date', label: labels.from },
    { name: 'until', type: 'date', label: labels.until },
  ];
}

/** Turns the filters into input of an action, which validates it. */
export function daysOf({ from, until }: FilterValues): Days {
  return { fromDay: from || undefined, untilDay: until || undefined };
}

/** Names the filter that an issue of an action is about, with a message; null for an issue of another field. */
export function dayProblem(
  { path }: { readonly path: string },
  { from = '', until = '' }: FilterValues,
  t: Translate,
): readonly [name: string, text: string] | null {
  switch (path) {
    case 'fromDay':
      return ['from', t('staff:day.bad', { day: short(from) })];
    case 'untilDay':
      return isDay(from) && isDay(until)
        ? ['until', t('staff:day.untilBeforeFrom')]
        : ['until', t('staff:day.bad', { day: short(until) })];
    default:
      return null;
  }
}

const QUOTED_MAX = 40;

/** Cuts a value of an address to a readable length. */
export function short(text: string): string {
  const characters = [...text];
  return characters.length > QUOTED_MAX ? `${characters.slice(0, QUOTED_MAX).join('')}…` : text;
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${text}T`);
}
