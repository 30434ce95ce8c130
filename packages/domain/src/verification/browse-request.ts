import { z } from 'zod';
import { type Days, dayRangeShape, momentsOf } from '../fields/days.ts';
import { parseInput } from '../input/parse.ts';
import { SUBJECT_TYPES, type SubjectType } from './flow.ts';
import { subjectReferenceSchema } from './new-verification.ts';
import { invalidPosition, parsePosition } from './page-position.ts';
import { STATUSES, type Status } from './status.ts';
import type { BrowseFilter, BrowsePosition } from './verification-repository.ts';

/** Filters of a client's verifications. A filter that is left out matches everything. */
export interface BrowseRequest extends Days {
  readonly status?: Status | undefined;
  readonly type?: SubjectType | undefined;
  readonly subjectReferencePrefix?: string | undefined;
}

const shape = {
  status: z.enum(STATUSES).optional(),
  type: z.enum(SUBJECT_TYPES).optional(),
  subjectReferencePrefix: subjectReferenceSchema.optional(),
  ...dayRangeShape,
};
const filterSchema: z.ZodType<BrowseRequest> = z.strictObject(shape);
const pageSchema: z.ZodType<BrowseRequest & { readonly after?: string | undefined }> = z.strictObject({
  ...shape,
  after: z.string().optional(),
});

/** Parses a request for one page. @throws CountersignError `INVALID_PARAMETERS` */
export function parseBrowseRequest(input: unknown): { filter: BrowseFilter; after: BrowsePosition | undefined } {
  const { after, ...request } = parseInput(pageSchema, input);
  return { filter: filterOf(request), after: after === undefined ? undefined : positionOf(after) };
}

/** Parses a request for all matching verifications. @throws CountersignError `INVALID_PARAMETERS` */
export function parseBrowseFilter(input: unknown): BrowseFilter {
  return filterOf(parseInput(filterSchema, input));
}

/** Where the next page begins. */
function positionOf(text: string): BrowsePosition {
  const { at, id } = parsePosition(text);
  if (at === null) throw invalidPosition();
  return { requestedAt: at, id };
}

function filterOf({ status, type, subjectReferencePrefix, fromDay, untilDay }: BrowseRequest): BrowseFilter {
  const { from, until } = momentsOf({ fromDay, untilDay });
  return {
    status,
    type,
    subjectReferencePrefix,
    requestedFrom: from,
    requestedUntil: until,
  };
}
