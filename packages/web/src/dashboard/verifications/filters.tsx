import {
  type BrowseRequest,
  type Issue,
  isCountersignError,
  STATUSES,
  type Status,
  SUBJECT_TYPES,
  type SubjectType,
} from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { FilterBar } from '../../staff/filter-bar.tsx';

/** Names of the filters in an address, in the order of their form. */
export const FILTER_FIELDS = ['status', 'type', 'prefix', 'from', 'until'] as const;
type FilterField = (typeof FILTER_FIELDS)[number];

/** The filters in an address; an empty text for a filter that is not set. */
export type BrowseFilterTexts = Readonly<Record<FilterField, string>>;

export function readFilter(query: (name: string) => string | undefined): BrowseFilterTexts {
  const text = (name: FilterField): string => query(name)?.trim() ?? '';
  return {
    status: text('status'),
    type: text('type'),
    // Not trimmed: a reference may begin with a space.
    prefix: query('prefix') ?? '',
    from: text('from'),
    until: text('until'),
  };
}

/** Turns the filters into input of an action, which validates it. */
export function requestOf({ status, type, prefix, from, until }: BrowseFilterTexts): BrowseRequest {
  return {
    status: unlessEmpty(status) as Status | undefined,
    type: unlessEmpty(type) as SubjectType | undefined,
    subjectReferencePrefix: unlessEmpty(prefix),
    fromDay: unlessEmpty(from),
    untilDay: unlessEmpty(until),
  };
}

/** Whether a filter is set. */
export function isFiltered(filter: BrowseFilterTexts): boolean {
  return FILTER_FIELDS.some((field) => filter[field] !== '');
}

/** Writes the filters as a query with `?`, or an empty text. `after` is the cursor of a page. */
export function queryOf(filter: BrowseFilterTexts, after: string | null = null): string {
  const query = new URLSearchParams();
  for (const field of FILTER_FIELDS) if (filter[field] !== '') query.set(field, filter[field]);
  if (after !== null) query.set('after', after);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

interface FilterFormProps {
  readonly page: Page;
  /** Path of the page that the form is on. */
  readonly path: string;
  readonly filter: BrowseFilterTexts;
  readonly problems: FilterProblems;
}

/** The filters of the client's verifications. */
export const FilterForm: FC<FilterFormProps> = ({ page, path, filter, problems }) => {
  const { t } = page;
  return (
    <FilterBar
      page={page}
      path={path}
      label={t('dashboard:verifications.filter.label')}
      values={filter}
      isFiltered={isFiltered(filter)}
      problems={problems}
      filters={[
        {
          name: 'status',
          label: t('dashboard:verifications.status'),
          options: STATUSES.map((status) => [status, t(`wording:statusShort.${status}`)]),
        },
        {
          name: 'type',
          label: t('dashboard:verifications.type'),
          options: SUBJECT_TYPES.map((type) => [type, t(`wording:type.${type}`)]),
        },
        { name: 'prefix', label: t('dashboard:verifications.filter.prefix') },
        { name: 'from', type: 'date', label: t('dashboard:verifications.filter.from') },
        { name: 'until', type: 'date', label: t('dashboard:verifications.filter.until') },
      ]}
    />
  );
};

/** Messages for invalid filters, by the name of the filter. `after` is the cursor of a page. */
export type FilterProblems = ReadonlyMap<FilterField | 'after', string>;

/** The result of an action, or the problems with its filters. */
type Asked<T> =
  | { readonly found: T; readonly problems: FilterProblems }
  | { readonly found: null; readonly problems: FilterProblems };

/** Runs an action with filters, and turns its refusal of them into messages. */
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

/** Quotes the value of the address, which a choice or a date control does not show. */
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

const QUOTED_MAX = 40;

/** Cuts a value of an address to a readable length. */
function short(text: string): string {
  const characters = [...text];
  return characters.length > QUOTED_MAX ? `${characters.slice(0, QUOTED_MAX).join('')}…` : text;
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${text}T`);
}
