import type { BrowseRequest, Status, SubjectType } from '@countersign/domain';

/** Names of the filters in an address, in the order of their form. */
export const FILTER_FIELDS = ['status', 'type', 'prefix', 'from', 'until'] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

/** The filters as an address has them; empty where there is none. */
export type BrowseFilterTexts = Readonly<Record<FilterField, string>>;

export function readFilter(query: (name: string) => string | undefined): BrowseFilterTexts {
  const text = (name: FilterField): string => query(name)?.trim() ?? '';
  return {
    status: text('status'),
    type: text('type'),
    // As it is: a reference is kept as it was sent, and may begin with a space.
    prefix: query('prefix') ?? '',
    from: text('from'),
    until: text('until'),
  };
}

/** As the domain takes it, or says what is wrong with it: an address may hold anything. */
export function requestOf({ status, type, prefix, from, until }: BrowseFilterTexts): BrowseRequest {
  return {
    status: unlessEmpty(status) as Status | undefined,
    type: unlessEmpty(type) as SubjectType | undefined,
    subjectReferencePrefix: unlessEmpty(prefix),
    fromDay: unlessEmpty(from),
    untilDay: unlessEmpty(until),
  };
}

/** Whether less than everything is asked for. */
export function isFiltered(filter: BrowseFilterTexts): boolean {
  return FILTER_FIELDS.some((field) => filter[field] !== '');
}

/** The filters as the query of an address, from `?` on; empty for none. `after` is where a page of the list begins. */
export function queryOf(filter: BrowseFilterTexts, after: string | null = null): string {
  const query = new URLSearchParams();
  for (const field of FILTER_FIELDS) if (filter[field] !== '') query.set(field, filter[field]);
  if (after !== null) query.set('after', after);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function unlessEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
