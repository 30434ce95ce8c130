import { SORT_FIELDS, type SortField, STATUSES } from '@countersign/domain';
import type { VerificationQuery, VerificationRecord } from '@countersign/domain/storage';
import { listingFiltersSuite, listingOrderSuite, pagingSuite } from '../../src/suites/lists.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL, cut, failsOnEmptyPage, filtersAfterPaging, offsetMutants, sizeMutants } from './pages.ts';
import { type Break, fail, verifications } from './patch.ts';

const { list } = verifications;

type Compare = (a: VerificationRecord, b: VerificationRecord) => number;

/** Puts lists in another order. */
const orders = (compare: (query: VerificationQuery) => Compare): Break =>
  list.override(async ({ next }, clientId, query) => {
    const anyOrder = { sortBy: 'requestedAt', sortOrder: 'desc', offset: 0, limit: ALL } as const;
    const { records } = await next(clientId, { ...query, ...anyOrder });
    return cut([...records].sort(compare(query)), query);
  });

interface Broken {
  readonly text?: (a: string, b: string) => number;
  readonly nullsFirst?: boolean;
  readonly ties?: Compare;
}

/** The sound order, but for what is broken: how texts compare, where nulls go, how ties are broken. */
function orderOf({ sortBy, sortOrder }: VerificationQuery, broken: Broken = {}): Compare {
  const direction = sortOrder === 'asc' ? 1 : -1;
  const { text = codePoints, nullsFirst = false, ties = (a, b) => direction * earlierFirst(a, b) } = broken;
  return (a, b) => {
    const [left, right] = [a[sortBy], b[sortBy]];
    if (left === null || right === null) {
      if (left === right) return ties(a, b);
      return (left === null) === nullsFirst ? -1 : 1;
    }
    const isText = typeof left === 'string' && typeof right === 'string';
    return direction * (isText ? text(left, right) : Number(left) - Number(right)) || ties(a, b);
  };
}

const byId: Compare = (a, b) => (a.id < b.id ? -1 : 1);
const earlierFirst: Compare = (a, b) => a.requestedAt.getTime() - b.requestedAt.getTime() || byId(a, b);

/** UTF-8 keeps the order of code points. */
const codePoints = (a: string, b: string): number => {
  const [left, right] = [[...a], [...b]].map((characters) => characters.map((each) => each.codePointAt(0) ?? 0));
  const index = left?.findIndex((point, place) => point !== right?.[place]) ?? -1;
  return index === -1 ? a.length - b.length : (left?.[index] ?? -1) - (right?.[index] ?? -1);
};
const utf16Units = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const byEnumeration = (a: string, b: string): number => {
  const place = (text: string): number => (STATUSES as readonly string[]).indexOf(text);
  return place(a) - place(b);
};

/** Broken in the order of one field, sound in all others. */
const inField = (field: SortField, broken: Broken): Break =>
  orders((query) => orderOf(query, query.sortBy === field ? broken : {}));
const always = (fixed: Partial<VerificationQuery>): Break => orders((query) => orderOf({ ...query, ...fixed }));
const ofText = (text: Broken['text'] & {}): Break => orders((query) => orderOf(query, { text }));

export const listingOrderMutants: readonly Mutant[] = mutantsOf(listingOrderSuite, {
  'always sorts ascending': always({ sortOrder: 'asc' }),
  'always sorts descending': always({ sortOrder: 'desc' }),
  'always sorts by request time': always({ sortBy: 'requestedAt' }),
  'sorts nulls first': inField('resolvedAt', { nullsFirst: true }),
  'sorts nulls first when descending': orders((query) =>
    orderOf(query, { nullsFirst: query.sortOrder === 'desc' }),
  ),
  ...Object.fromEntries(
    SORT_FIELDS.map((field) => [`leaves ties of ${field} unordered`, inField(field, { ties: () => 0 })]),
  ),
  ...Object.fromEntries(
    SORT_FIELDS.filter((field) => field !== 'requestedAt').map((field) => [
      `breaks ties of ${field} by id alone`,
      orders((query) => {
        const ties: Compare = (a, b) => (query.sortOrder === 'asc' ? byId(a, b) : byId(b, a));
        return orderOf(query, query.sortBy === field ? { ties } : {});
      }),
    ]),
  ),
  'breaks ties upwards in both directions': orders((query) => orderOf(query, { ties: earlierFirst })),
  'orders statuses as an enumeration': inField('status', { text: byEnumeration }),
  'orders text by UTF-16 unit': ofText(utf16Units),
  'orders text by language': ofText((a, b) => a.localeCompare(b, 'en')),
  'orders text without case': ofText((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())),
  'orders numeric text as numbers': ofText(
    (a, b) => Number.parseFloat(a) - Number.parseFloat(b) || utf16Units(a, b),
  ),
});

/** Lets other records through the filters. */
const filters = (passes: (record: VerificationRecord, query: VerificationQuery) => boolean): Break =>
  list.override(async ({ next }, clientId, query) => {
    const everything = { status: undefined, type: undefined, subjectReference: undefined, offset: 0, limit: ALL };
    const { records } = await next(clientId, { ...query, ...everything });
    return cut(
      records.filter((record) => passes(record, query)),
      query,
    );
  });

const isOfKind = (record: VerificationRecord, { status, type }: VerificationQuery): boolean =>
  (status === undefined || record.status === status) && (type === undefined || record.type === type);

/** Compares references in another way. */
const matches = (isMatch: (reference: string, wanted: string) => boolean): Break =>
  filters((record, query) => {
    const { subjectReference: wanted } = query;
    return isOfKind(record, query) && (wanted === undefined || isMatch(record.subjectReference, wanted));
  });

export const listingFiltersMutants: readonly Mutant[] = mutantsOf(listingFiltersSuite, {
  ...list.ignoring('type', 'subjectReference'),
  'lists active verifications unless a status is given': filters(
    (record, query) => isOfKind(record, query) && (query.status !== undefined || record.resolvedAt === null),
  ),
  'lists one verification of a subject': list.input(({ subjectReference }) =>
    subjectReference === undefined ? {} : { limit: 1 },
  ),
  'joins filters with OR': filters(
    (record, { status, type, subjectReference }) =>
      record.status === status || record.type === type || record.subjectReference === subjectReference,
  ),
  'matches references by substring': matches((reference, wanted) => reference.includes(wanted)),
  'matches references by pattern': matches((reference, wanted) => {
    const pattern = wanted
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.');
    return new RegExp(`^${pattern}$`, 'su').test(reference);
  }),
  'matches references without case': matches(
    (reference, wanted) => reference.toLowerCase() === wanted.toLowerCase(),
  ),
  'matches references without surrounding space': matches(
    (reference, wanted) => reference.trim() === wanted.trim(),
  ),
  'ignores an empty reference': list.input(({ subjectReference }) => ({
    subjectReference: subjectReference || undefined,
  })),
  'fails on an empty page': failsOnEmptyPage(list),
});

export const pagingMutants: readonly Mutant[] = mutantsOf(pagingSuite, {
  ...sizeMutants(list),
  ...offsetMutants(list),
  'filters after paging': filtersAfterPaging(list),
  'starts one record early': list.input(({ offset }) => ({ offset: Math.max(0, offset - 1) })),
  'starts again past the end': list.input(({ offset }) => ({ offset: offset % 24 })),
  'fails on offsets over 32 bits': list.input(({ offset }) =>
    offset > 2 ** 31 ? fail('integer out of range') : {},
  ),
  'leaves ties unordered': list.result(({ records, totalCount }, _, { offset, limit }) => {
    const isWhole = offset === 0 && limit > records.length;
    return { records: isWhole ? records : [...records].reverse(), totalCount };
  }),
});
