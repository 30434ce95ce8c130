import {
  SORT_FIELDS,
  type SortField,
  STATUSES,
  type VerificationQuery,
  type VerificationRecord,
} from '@countersign/domain';
import { listingFiltersSuite, listingOrderSuite, pagingSuite } from '../../src/suites/lists.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL, countNothingPastTheEnd, countOther, countPage, cut, failWhenEmpty } from './pages.ts';
import { answers, asks, type Break, fail, on } from './patch.ts';

type Compare = (a: VerificationRecord, b: VerificationRecord) => number;

/** Puts lists in another order. */
const orders = (compare: (query: VerificationQuery) => Compare): Break =>
  on('verifications.list')(async ({ next }, clientId, query) => {
    const anyOrder = { sortBy: 'requestedAt', sortOrder: 'desc', offset: 0, limit: ALL } as const;
    const { records } = await next(clientId, { ...query, ...anyOrder });
    return cut([...records].sort(compare(query)), query);
  });

interface Broken {
  readonly text?: (a: string, b: string) => number;
  readonly nullsFirst?: boolean;
  readonly ties?: Compare;
}

/** A sound order but for what is given: how a field's values compare, where nulls go, how ties are broken. */
function orderOf({ sortBy, sortOrder }: VerificationQuery, broken: Broken = {}): Compare {
  const direction = sortOrder === 'asc' ? 1 : -1;
  const { text = codePoints, nullsFirst = false, ties = (a, b) => direction * (a.id < b.id ? -1 : 1) } = broken;
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
const always = (given: Partial<VerificationQuery>): Break => orders((query) => orderOf({ ...query, ...given }));
const ofText = (text: Broken['text'] & {}): Break => orders((query) => orderOf(query, { text }));

export const listingOrderMutants: readonly Mutant[] = mutantsOf(listingOrderSuite, {
  'always sorts upwards': always({ sortOrder: 'asc' }),
  'always sorts downwards': always({ sortOrder: 'desc' }),
  'always sorts by the moment of the request': always({ sortBy: 'requestedAt' }),
  'puts nulls first': inField('resolvedAt', { nullsFirst: true }),
  'puts nulls first when it sorts downwards': orders((query) =>
    orderOf(query, { nullsFirst: query.sortOrder === 'desc' }),
  ),
  ...Object.fromEntries(
    SORT_FIELDS.map((field) => [`leaves ties of ${field} as they come`, inField(field, { ties: () => 0 })]),
  ),
  'breaks ties upwards in both directions': orders((query) =>
    orderOf(query, { ties: (a, b) => (a.id < b.id ? -1 : 1) }),
  ),
  'orders states by their place in an enumeration': inField('status', { text: byEnumeration }),
  'orders text by UTF-16 unit': ofText(utf16Units),
  'orders text by language': ofText((a, b) => a.localeCompare(b, 'en')),
  'orders text without regard to case': ofText((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())),
  'orders text that looks like numbers as numbers': ofText(
    (a, b) => Number.parseFloat(a) - Number.parseFloat(b) || utf16Units(a, b),
  ),
});

/** Lets other records through the filters. */
const filters = (passes: (record: VerificationRecord, query: VerificationQuery) => boolean): Break =>
  on('verifications.list')(async ({ next }, clientId, query) => {
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
  'lists active ones where no status is asked for': filters(
    (record, query) => isOfKind(record, query) && (query.status !== undefined || record.resolvedAt === null),
  ),
  'passes over the status': asks('verifications.list')(() => ({ status: undefined })),
  'passes over the type': asks('verifications.list')(() => ({ type: undefined })),
  'passes over the reference': asks('verifications.list')(() => ({ subjectReference: undefined })),
  'lists one of a subject': asks('verifications.list')(({ subjectReference }) =>
    subjectReference === undefined ? {} : { limit: 1 },
  ),
  'lists what any filter lets through': filters(
    (record, { status, type, subjectReference }) =>
      record.status === status || record.type === type || record.subjectReference === subjectReference,
  ),
  'filters in one order alone': asks('verifications.list')(({ sortBy }) =>
    sortBy === 'requestedAt' ? {} : { status: undefined },
  ),
  'finds references that hold the text': matches((reference, wanted) => reference.includes(wanted)),
  'finds references by pattern': matches((reference, wanted) => {
    const pattern = wanted
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.');
    return new RegExp(`^${pattern}$`, 'su').test(reference);
  }),
  'finds references without regard to case': matches(
    (reference, wanted) => reference.toLowerCase() === wanted.toLowerCase(),
  ),
  'finds references without regard to space': matches((reference, wanted) => reference.trim() === wanted.trim()),
  'takes an empty reference for none': asks('verifications.list')(({ subjectReference }) => ({
    subjectReference: subjectReference || undefined,
  })),
  'fails where nothing matches': answers('verifications.list')(failWhenEmpty),
});

export const pagingMutants: readonly Mutant[] = mutantsOf(pagingSuite, {
  'begins one too far': asks('verifications.list')(({ offset }) => ({ offset: offset === 0 ? 0 : offset + 1 })),
  'begins one too early': asks('verifications.list')(({ offset }) => ({ offset: Math.max(0, offset - 1) })),
  'takes the offset for a page number': asks('verifications.list')(({ offset, limit }) => ({
    offset: offset * limit,
  })),
  'holds one too many': asks('verifications.list')(({ limit }) => ({ limit: limit + 1 })),
  'counts the page instead of all': answers('verifications.list')(countPage),
  'counts nothing past the end': answers('verifications.list')(countNothingPastTheEnd),
  'counts without the filters': on('verifications.list')(({ next }, clientId, query) =>
    countOther(next(clientId, query), next(clientId, { ...query, type: undefined })),
  ),
  'begins anew past the end': asks('verifications.list')(({ offset }) => ({ offset: offset % 24 })),
  'has offsets of 32 bits': asks('verifications.list')(({ offset }) => ({ offset: Math.max(0, offset | 0) })),
  'fails on offsets of more than 32 bits': asks('verifications.list')(({ offset }) =>
    offset > 2 ** 31 ? fail('integer out of range') : {},
  ),
  'leaves ties as they come': answers('verifications.list')(({ records, totalCount }, _, { offset, limit }) => {
    const isWhole = offset === 0 && limit > records.length;
    return { records: isWhole ? records : [...records].reverse(), totalCount };
  }),
  'filters the page after cutting it': on('verifications.list')(async ({ next }, clientId, query) => {
    const { records } = await next(clientId, { ...query, type: undefined });
    const { totalCount } = await next(clientId, query);
    return { records: records.filter(({ type }) => [undefined, type].includes(query.type)), totalCount };
  }),
});
