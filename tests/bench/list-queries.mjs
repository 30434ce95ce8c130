// Every list that the API allows: filters, orders and pages.
import { COMMON_STATUS, RARE_STATUS, RARE_TYPE, RETURNING_SUBJECT } from './data/rows.mjs';

export const SORT_FIELDS = /** @type {const} */ ([
  'requestedAt',
  'resolvedAt',
  'status',
  'type',
  'subjectReference',
  'currentStep',
]);

/** Each fills at least one page of the smallest data. */
export const FILTERS = /** @type {const} */ ([
  { filter: 'none', query: '' },
  { filter: 'rare status', query: `status=${RARE_STATUS}` },
  { filter: 'common status', query: `status=${COMMON_STATUS}` },
  { filter: 'rare type', query: `type=${RARE_TYPE}` },
  { filter: 'rare status and type', query: `status=${RARE_STATUS}&type=${RARE_TYPE}` },
  { filter: 'common status, rare type', query: `status=${COMMON_STATUS}&type=${RARE_TYPE}` },
  { filter: 'subjectReference', query: `subjectReference=${RETURNING_SUBJECT}` },
]);

/** The page far behind the first that is measured where the data has it. */
const FAR = 1000;

export const PAGES = /** @type {const} */ (['first', `page ${FAR}`, 'last', 'middle']);

/**
 * @typedef {typeof PAGES[number]} Page
 * @typedef {{ filter: string, order: string, sortBy: string, query: string }} List
 */

/** @type {readonly List[]} */
export const LISTS = FILTERS.flatMap(({ filter, query }) =>
  SORT_FIELDS.flatMap((sortBy) =>
    ['desc', 'asc'].map((sortOrder) => ({
      filter,
      sortBy,
      order: `${sortBy} ${sortOrder}`,
      query: `${query === '' ? '' : `${query}&`}sortBy=${sortBy}&sortOrder=${sortOrder}`,
    })),
  ),
);

/** Each order once and each filter at least once, for a short run. @type {readonly List[]} */
export const FEW_LISTS = LISTS.filter((_, index) => {
  const orders = LISTS.length / FILTERS.length;
  return Math.floor(index / orders) === ((index % orders) + 1) % FILTERS.length;
});

/** @param {List} list @param {number} page @returns {string} the path of a page of 20 */
export const pathOf = ({ query }, page) => `/api/v1/verifications?${query}&page=${page}`;

/**
 * Returns the numbers of the measured pages. A list of one page has only the first.
 * @param {number} totalPages
 * @returns {Readonly<Partial<Record<Page, number>>>}
 */
export function numbersOf(totalPages) {
  return {
    first: 1,
    ...(totalPages >= FAR && { [`page ${FAR}`]: FAR }),
    ...(totalPages > 1 && { last: totalPages, middle: Math.ceil(totalPages / 2) }),
  };
}
