import { type Issue, isCountersignError } from '@countersign/domain';
import type { Translate } from '../../site/messages.ts';
import type { BrowseFilterTexts, FilterField } from './browse-filter.ts';

/** What is wrong with the filters of an address: messages by the name of the filter; `after` is where a page begins. */
export type FilterProblems = ReadonlyMap<FilterField | 'after', string>;

/** What was asked for, or what is wrong with asking for it. */
export type Asked<T> =
  | { readonly found: T; readonly problems: FilterProblems }
  | { readonly found: null; readonly problems: FilterProblems };

/** Asks the domain, and puts what it refuses into words. */
export async function askWith<T>(
  filter: BrowseFilterTexts,
  ask: () => Promise<T>,
  t: Translate,
): Promise<Asked<T>> {
  try {
    return { found: await ask(), problems: new Map() };
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    const issues = error.data?.issues ?? [];
    return { found: null, problems: new Map(issues.map((issue) => problemOf(issue, filter, t))) };
  }
}

/** In the reader's language, and with what stands in the address: a list or a field for days does not show it. */
function problemOf({ path }: Issue, filter: BrowseFilterTexts, t: Translate): [FilterField | 'after', string] {
  switch (path) {
    case 'status':
      return ['status', t('dashboard:verifications.filter.badStatus', { status: short(filter.status) })];
    case 'type':
      return ['type', t('dashboard:verifications.filter.badType', { type: short(filter.type) })];
    case 'fromDay':
      return ['from', t('dashboard:verifications.filter.badDay', { day: short(filter.from) })];
    case 'untilDay':
      return isDay(filter.from) && isDay(filter.until)
        ? ['until', t('dashboard:verifications.filter.untilBeforeFrom')]
        : ['until', t('dashboard:verifications.filter.badDay', { day: short(filter.until) })];
    case 'after':
      return ['after', t('dashboard:verifications.filter.badPosition')];
    default:
      return ['prefix', t('dashboard:verifications.filter.badPrefix')];
  }
}

const TOLD_MAX = 40;

/** What somebody put into an address, cut to a length that can be read. */
function short(text: string): string {
  const characters = [...text];
  return characters.length > TOLD_MAX ? `${characters.slice(0, TOLD_MAX).join('')}…` : text;
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${text}T`);
}
