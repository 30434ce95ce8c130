import type { BrowseQuery } from '@countersign/domain';
import { rangeOfPrefix } from './prefix-range.ts';

/** What the statements of `browse` are given. What is undefined is not asked for: another statement is used then. */
export interface BrowseValues extends Record<string, unknown> {
  readonly clientId: string;
  readonly limit: number;
  readonly status: string | undefined;
  readonly type: string | undefined;
  readonly prefixFrom: string | undefined;
  readonly prefixUntil: string | Uint8Array | undefined;
  readonly requestedFrom: number | undefined;
  readonly requestedUntil: number | undefined;
  /** The page is of what comes before this place, by moment and id: one bound, where two would hide one from the index. */
  readonly endAt: number | undefined;
  readonly endId: string | undefined;
}

export function browseValues(clientId: string, query: BrowseQuery): BrowseValues {
  const { status, type, subjectReferencePrefix: prefix, limit } = query;
  const range = prefix === undefined || prefix === '' ? undefined : rangeOfPrefix(prefix);
  const end = endOf(query);
  return {
    clientId,
    limit,
    status,
    type,
    prefixFrom: range?.from,
    prefixUntil: range?.until,
    requestedFrom: query.requestedFrom?.getTime(),
    requestedUntil: query.requestedUntil?.getTime(),
    endAt: end?.requestedAt.getTime(),
    endId: end?.id,
  };
}

/** The shape of a statement: two queries that ask for the same share one, whatever the values. */
export function askedFor(values: BrowseValues): string {
  return Object.keys(values)
    .filter((name) => values[name] !== undefined)
    .join();
}

function endOf({ after, requestedUntil: until }: BrowseQuery): BrowseQuery['after'] {
  // No id is smaller than the empty one.
  return until === undefined || (after !== undefined && after.requestedAt < until)
    ? after
    : { requestedAt: until, id: '' };
}
