import { z } from 'zod';
import { invalidParameters } from '../errors.ts';
import { FIRST_DAY } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import { SUBJECT_TYPES, type SubjectType } from './flow.ts';
import { subjectReferenceSchema } from './new-verification.ts';
import { invalidPosition, LAST_DAY, parsePosition } from './page-position.ts';
import { STATUSES, type Status } from './status.ts';
import type { BrowseFilter, BrowsePosition } from './verification-repository.ts';

/** Filters of a client's verifications. A filter that is left out matches everything. */
export interface BrowseRequest {
  readonly status?: Status | undefined;
  readonly type?: SubjectType | undefined;
  readonly subjectReferencePrefix?: string | undefined;
  /** First and last day, `YYYY-MM-DD` in UTC, both included. */
  readonly fromDay?: string | undefined;
  readonly untilDay?: string | undefined;
}

const day = z.iso.date({ abort: true }).refine((value) => value >= FIRST_DAY && value <= LAST_DAY, {
  error: `must be a day from ${FIRST_DAY} to ${LAST_DAY}`,
  params: { code: 'not_a_date' },
});

const shape = {
  status: z.enum(STATUSES).optional(),
  type: z.enum(SUBJECT_TYPES).optional(),
  subjectReferencePrefix: subjectReferenceSchema.optional(),
  fromDay: day.optional(),
  untilDay: day.optional(),
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
  if ((untilDay ?? LAST_DAY) < (fromDay ?? FIRST_DAY)) {
    throw invalidParameters([{ path: 'untilDay', message: 'must not lie before the first day', code: 'invalid' }]);
  }
  return {
    status,
    type,
    subjectReferencePrefix,
    requestedFrom: fromDay === undefined ? undefined : midnight(fromDay),
    requestedUntil: untilDay === undefined ? undefined : midnightAfter(untilDay),
  };
}

function midnight(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

function midnightAfter(day: string): Date {
  const next = midnight(day);
  next.setUTCDate(next.getUTCDate() + 1);
  return next;
}
