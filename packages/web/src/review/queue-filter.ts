import {
  LIST_PAGE_MAX,
  type ReviewQueueInput,
  STATUSES,
  type Status,
  SUBJECT_TYPES,
  type SubjectType,
} from '@countersign/domain';

export const CLAIMS = ['unclaimed', 'mine'] as const;
export type ClaimFilter = (typeof CLAIMS)[number];

/** Which cases the queue shows. Null lets everything pass. */
export interface QueueFilter {
  readonly status: Status;
  readonly type: SubjectType | null;
  readonly clientId: string | null;
  readonly claim: ClaimFilter | null;
  readonly page: number;
}

const NO_FILTER: QueueFilter = { status: 'submitted', type: null, clientId: null, claim: null, page: 1 };

const ID_MAX = 100;

/** The filter in an address. What makes no sense is left out: the form then shows what was looked for. */
export function readFilter(query: (name: string) => string | undefined): QueueFilter {
  const page = Number(query('page') ?? '1');
  const clientId = query('client') ?? '';
  return {
    status: STATUSES.find((status) => status === query('status')) ?? NO_FILTER.status,
    type: SUBJECT_TYPES.find((type) => type === query('type')) ?? null,
    clientId: clientId === '' || clientId.length > ID_MAX ? null : clientId,
    claim: CLAIMS.find((claim) => claim === query('claim')) ?? null,
    page: Number.isInteger(page) && page >= 1 && page <= LIST_PAGE_MAX ? page : 1,
  };
}

export function caseQueryOf(
  { status, type, clientId, claim, page }: QueueFilter,
  reviewerId: string,
): ReviewQueueInput {
  return {
    status,
    type: type ?? undefined,
    clientId: clientId ?? undefined,
    claimedBy: claim === 'mine' ? reviewerId : undefined,
    unclaimed: claim !== null && claim !== 'mine' ? true : undefined,
    page,
  };
}

/** Whether the queue shows less than all that waits. */
export function isFiltered(filter: QueueFilter): boolean {
  return queryOf({ ...filter, page: 1 }) !== '';
}

/** The filter as the query of an address, from `?` on; empty for none. */
export function queryOf({ status, type, clientId, claim, page }: QueueFilter): string {
  const query = new URLSearchParams();
  if (status !== NO_FILTER.status) query.set('status', status);
  if (type !== null) query.set('type', type);
  if (clientId !== null) query.set('client', clientId);
  if (claim !== null) query.set('claim', claim);
  if (page > 1) query.set('page', String(page));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
