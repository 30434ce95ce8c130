import { z } from 'zod';
import { type Days, dayRangeShape, momentsOf } from '../fields/days.ts';
import { parseInput } from '../input/parse.ts';
import { SUBJECT_TYPES, type SubjectType } from './flow.ts';
import { subjectReferenceSchema } from './new-verification.ts';
import { invalidPosition, parsePosition } from './page-position.ts';
import { LIST_LIMIT_MAX } from './read-verifications.ts';
import { readShortReference } from './short-reference.ts';
import { STATUSES, type Status } from './status.ts';
import type { BrowseFilter, BrowsePosition } from './verification-repository.ts';

/** Filters of a client's verifications. A filter that is left out matches everything. */
export interface BrowseRequest extends Days {
  readonly status?: Status | undefined;
  readonly type?: SubjectType | undefined;
  /** The beginning of a subject reference, or a `shortReference` as people write it. */
  readonly search?: string | undefined;
}

/** Filters and the page that is asked for. */
export interface BrowsePageRequest extends BrowseRequest {
  /** `next` of the page before. */
  readonly after?: string | undefined;
  /** 1–100; default 25. */
  readonly limit?: number | undefined;
}

/** Verifications on one page, if a request names no number. */
const PAGE = 25;

/** What a request asks for. */
export interface ParsedBrowse {
  readonly filter: BrowseFilter;
  /** The search as `shortReference` writes it; null if it cannot be one. */
  readonly reference: string | null;
}

const shape = {
  status: z.enum(STATUSES).optional(),
  type: z.enum(SUBJECT_TYPES).optional(),
  search: subjectReferenceSchema.optional(),
  ...dayRangeShape,
};
const filterSchema: z.ZodType<BrowseRequest> = z.strictObject(shape);
const pageSchema: z.ZodType<BrowsePageRequest> = z.strictObject({
  ...shape,
  after: z.string().optional(),
  limit: z.int().min(1).max(LIST_LIMIT_MAX).optional(),
});

/** Parses a request for one page. @throws CountersignError `INVALID_PARAMETERS` */
export function parseBrowseRequest(
  input: unknown,
): ParsedBrowse & { readonly after: BrowsePosition | undefined; readonly limit: number } {
  const { after, limit = PAGE, ...request } = parseInput(pageSchema, input);
  return { ...parsed(request), after: after === undefined ? undefined : positionOf(after), limit };
}

/** Parses a request for all matching verifications. @throws CountersignError `INVALID_PARAMETERS` */
export function parseBrowseFilter(input: unknown): ParsedBrowse {
  return parsed(parseInput(filterSchema, input));
}

/** Where the next page begins. */
function positionOf(text: string): BrowsePosition {
  const { at, id } = parsePosition(text);
  if (at === null) throw invalidPosition();
  return { requestedAt: at, id };
}

function parsed({ status, type, search, ...days }: BrowseRequest): ParsedBrowse {
  const { from, until } = momentsOf(days);
  return {
    filter: { status, type, subjectReferencePrefix: search, requestedFrom: from, requestedUntil: until },
    reference: search === undefined ? null : readShortReference(search),
  };
}
