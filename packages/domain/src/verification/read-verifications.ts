import { z } from 'zod';
import { requirePermission } from '../access/api-key.ts';
import type { Principal } from '../access/authenticate.ts';
import { CountersignError, isCountersignError } from '../errors.ts';
import { parseInput } from '../input/parse.ts';
import { isHidden } from '../retention/data-state.ts';
import type { ReadFlowRules } from '../subscription/flow-rules.ts';
import type { BasePorts } from './base-ports.ts';
import { SUBJECT_TYPES, type SubjectType } from './flow.ts';
import { fromRecord } from './from-record.ts';
import { subjectReferenceSchema } from './new-verification.ts';
import type { FindWithData, FoundVerification } from './retained.ts';
import { STATUSES, type Status } from './status.ts';
import { UnreadableVerificationError } from './unreadable.ts';
import type { VerificationRecord } from './verification-record.ts';
import { SORT_FIELDS, type SortField } from './verification-repository.ts';
import {
  detailsOf,
  type ListedVerification,
  type VerificationDetails,
  type VerificationView,
  viewOf,
  viewWithoutData,
} from './views.ts';

/** Filters, order and page of a list (interface, GET /verifications). */
export interface ListQuery {
  /** From 1; default 1. */
  readonly page?: number | undefined;
  /** 1–100; default 20. */
  readonly limit?: number | undefined;
  readonly status?: Status | undefined;
  readonly type?: SubjectType | undefined;
  /** Matches exactly. */
  readonly subjectReference?: string | undefined;
  /** Default `requestedAt`. */
  readonly sortBy?: SortField | undefined;
  /** Default `desc`. */
  readonly sortOrder?: 'asc' | 'desc' | undefined;
}

/** A page of a client's verifications, as the API lists them. */
export interface VerificationPage {
  readonly verifications: readonly ListedVerification[];
  readonly pagination: Pagination;
}

/** Page of a list and the number of all matches (interface, Pagination object). */
export interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly totalCount: number;
  readonly totalPages: number;
  readonly hasMore: boolean;
}

/** Most verifications on a page of a list. */
export const LIST_LIMIT_MAX = 100;
/** Verifications on a page of a list that asks for no number. */
export const LIST_LIMIT_DEFAULT = 20;
/** Highest number of a page: keeps page × limit an exact integer in every database. */
export const LIST_PAGE_MAX = 1_000_000_000;

// An unsafe integer is reported once, not also as too large.
const wholeNumber = z.int({ abort: true }).min(1);

const schema = z.strictObject({
  page: wholeNumber.max(LIST_PAGE_MAX).default(1).meta({ description: 'Page number, from 1.', example: 1 }),
  limit: wholeNumber
    .max(LIST_LIMIT_MAX)
    .default(LIST_LIMIT_DEFAULT)
    .meta({ description: 'Page size.', example: LIST_LIMIT_DEFAULT }),
  status: z
    .enum(STATUSES)
    .optional()
    .meta({ description: 'Only verifications in this state.', example: 'pending' }),
  type: z
    .enum(SUBJECT_TYPES)
    .optional()
    .meta({ description: 'Only individuals, or only businesses.', example: 'kyc' }),
  subjectReference: subjectReferenceSchema
    .optional()
    .meta({ description: 'Only the subject with exactly this reference, case included.', example: 'user_1' }),
  sortBy: z.enum(SORT_FIELDS).default('requestedAt').meta({
    description:
      'What to sort by. Nulls come last in both directions; ties are broken by `requestedAt`, then by `id`, in the same direction.',
    example: 'requestedAt',
  }),
  sortOrder: z
    .enum(['asc', 'desc'])
    .default('desc')
    .meta({ description: 'Ascending or descending.', example: 'desc' }),
});

/** The wire's schema of a list's query: the HTTP interface describes its parameters by it. */
export const listQuerySchema: z.ZodObject<Record<keyof ListQuery, z.ZodType>> = schema;

/** Reads verifications for a client. All methods need `verifications:read`. Another client's verification is not found. */
export interface ReadVerifications {
  /**
   * Lists verifications. One whose stored documents cannot be read has `dataError` and goes to `onFault`.
   * @throws `INSUFFICIENT_PERMISSIONS`, `INVALID_PARAMETERS`
   */
  list(principal: Principal, query?: ListQuery): Promise<VerificationPage>;
  /** @throws `INSUFFICIENT_PERMISSIONS`, `VERIFICATION_NOT_FOUND` */
  get(principal: Principal, verificationId: string): Promise<VerificationView>;
  /** @throws `INSUFFICIENT_PERMISSIONS`, `VERIFICATION_NOT_FOUND` */
  details(principal: Principal, verificationId: string): Promise<VerificationDetails>;
}

export function createReadVerifications(
  ports: Pick<BasePorts, 'flows' | 'links' | 'onFault' | 'verifications'> & {
    findWithData: FindWithData;
    readFlowRules: ReadFlowRules;
  },
): ReadVerifications {
  const { verifications, findWithData, readFlowRules, flows, links, onFault } = ports;

  /** Returns the codes of the kept warnings; undefined if there are none to name. */
  async function codesOf({ verification, keptWarnings = null }: FoundVerification): Promise<string[] | undefined> {
    if (keptWarnings === null || isHidden(verification)) return undefined;
    const { warningsInDetails } = await readFlowRules(verification.clientId);
    return warningsInDetails ? [...new Set(keptWarnings.map(({ code }) => code))] : undefined;
  }

  function listed(record: VerificationRecord): ListedVerification {
    try {
      return viewOf(fromRecord(record, flows), links);
    } catch (cause) {
      const isUnavailable = isCountersignError(cause, 'SERVICE_UNAVAILABLE');
      onFault(isUnavailable ? cause : new UnreadableVerificationError(record.id, cause));
      return viewWithoutData(record, isUnavailable ? 'UNAVAILABLE' : 'UNREADABLE', links);
    }
  }

  return {
    async list(principal, query = {}) {
      requirePermission(principal.permissions, 'verifications:read');
      const { page, limit, status, type, subjectReference, sortBy, sortOrder } = parseInput(schema, query);
      const offset = (page - 1) * limit;
      const found = await verifications.list(principal.clientId, {
        status,
        type,
        subjectReference,
        sortBy,
        sortOrder,
        offset,
        limit,
      });
      return {
        verifications: found.records.map(listed),
        pagination: paginationOf({ page, limit, totalCount: found.totalCount }),
      };
    },

    async get(principal, verificationId) {
      requirePermission(principal.permissions, 'verifications:read');
      const record = await verifications.find(principal.clientId, verificationId);
      if (record === null) throw unknownVerification();
      return viewOf(fromRecord(record, flows), links);
    },

    async details(principal, verificationId) {
      requirePermission(principal.permissions, 'verifications:read');
      const found = await findWithData(principal.clientId, verificationId);
      if (found === null) throw unknownVerification();
      const warnings = await codesOf(found);
      return { ...detailsOf(found, links), ...(warnings !== undefined && { warnings }) };
    },
  };
}

/** Makes the error for an unknown id and for another client's verification alike. */
export function unknownVerification(): CountersignError {
  return new CountersignError('VERIFICATION_NOT_FOUND');
}

/** Makes the `pagination` of a page. */
export function paginationOf(page: { page: number; limit: number; totalCount: number }): Pagination {
  const { page: number, limit, totalCount } = page;
  return {
    page: number,
    limit,
    totalCount,
    totalPages: Math.ceil(totalCount / limit),
    hasMore: number * limit < totalCount,
  };
}
