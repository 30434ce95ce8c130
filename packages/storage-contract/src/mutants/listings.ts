import { LIST_LIMIT_MAX, STATUSES, type VerificationQuery, type VerificationRecord } from '@countersign/domain';
import { listing } from './around.ts';
import type { Mutant } from './mutant.ts';

type Compare = (a: VerificationRecord, b: VerificationRecord) => number;

/** A mutant that puts its lists in another order. */
export const ordering =
  (compare: (query: VerificationQuery) => Compare): Mutant['breakIn'] =>
  (storage) =>
    listing(storage, async (next, clientId, query) => {
      const anyOrder = { sortBy: 'requestedAt', sortOrder: 'desc' } as const;
      const { records, totalCount } = await next(clientId, {
        ...query,
        ...anyOrder,
        offset: 0,
        limit: LIST_LIMIT_MAX,
      });
      const sorted = [...records].sort(compare(query));
      return { records: sorted.slice(query.offset, query.offset + query.limit), totalCount };
    });

/** A mutant that lets other records through its filters. */
export const filtering =
  (passes: (record: VerificationRecord, query: VerificationQuery) => boolean): Mutant['breakIn'] =>
  (storage) =>
    listing(storage, async (next, clientId, query) => {
      const everything = { ...query, status: undefined, type: undefined, subjectReference: undefined };
      const { records } = await next(clientId, { ...everything, offset: 0, limit: LIST_LIMIT_MAX });
      const passing = records.filter((record) => passes(record, query));
      return { records: passing.slice(query.offset, query.offset + query.limit), totalCount: passing.length };
    });

/** What the filters say, the reference aside. */
export const isOfKind = (record: VerificationRecord, { status, type }: VerificationQuery): boolean =>
  (status === undefined || record.status === status) && (type === undefined || record.type === type);

/** A sound order but for what is given: how a field's values compare, where nulls go, how ties are broken. */
export function orderOf(
  { sortBy, sortOrder }: VerificationQuery,
  broken: { text?: (a: string, b: string) => number; nullsFirst?: boolean; ties?: Compare } = {},
): Compare {
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

/** The order in which an enumeration names the states. */
export const byPlace = (a: string, b: string): number => {
  const place = (text: string): number => (STATUSES as readonly string[]).indexOf(text);
  return place(a) - place(b);
};
