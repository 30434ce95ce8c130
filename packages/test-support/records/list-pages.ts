import { isActive, SORT_FIELDS, type SortField, STATUSES, SUBJECT_TYPES } from '@countersign/domain';
import type { VerificationQuery, VerificationRecord } from '@countersign/domain/storage';

/** The fields of a verification that lists sort by. */
export type Sorted = Pick<VerificationRecord, 'id' | SortField>;

/** A million in small: one status and one type are rare, one day has half of all, and subjects have several. */
export const SKEWED_ROWS = 6_000;

const DAY_MS = 24 * 60 * 60 * 1_000;
const FIRST_DAY = Date.UTC(2026, 0, 1);

/** Creates the fields of the `n`th verification that lists sort by. Moments and decisions have ties. */
export function skewedRow(n: number): Sorted {
  const scattered = (n * 7_919) % SKEWED_ROWS;
  const status = scattered % 1_000 === 0 ? 'action_needed' : (COMMON_STATUSES[scattered % 7] ?? 'approved');
  const type = n % 100 === 3 ? 'kyb' : 'kyc';
  const day = n % 2 === 0 ? 17 : scattered % 40;
  const requestedAt = new Date(FIRST_DAY + day * DAY_MS + ((n * 31) % 1_440) * 60_000);
  const resolvedAt = isActive(status) ? null : new Date(requestedAt.getTime() + (1 + (n % 5)) * DAY_MS);
  // An active verification is the only one of its subject that is.
  const subjectReference = isActive(status) ? `user_${n}` : `user_${scattered % 2_000}_many`;
  return { id: rowId(n), status, type, requestedAt, resolvedAt, subjectReference, currentStep: scattered % 6 };
}

const COMMON_STATUSES = [
  'pending',
  'approved',
  'approved',
  'submitted',
  'approved',
  'rejected',
  'approved',
] as const;

/** Ids in another order than requests. */
function rowId(n: number): string {
  return `aaaaaaaa-0000-7000-8000-${String((n * 3_571) % SKEWED_ROWS).padStart(12, '0')}`;
}

interface ExpectedPage {
  readonly query: VerificationQuery;
  readonly ids: readonly string[];
  readonly totalCount: number;
}

/** Pages of every order and filter, as the port describes them: the first, the last, one beyond the end, and some between. */
export function expectedPages(rows: readonly Sorted[]): ExpectedPage[] {
  const orders = SORT_FIELDS.flatMap((sortBy) =>
    (['asc', 'desc'] as const).map((sortOrder) => ({ sortBy, sortOrder })),
  );
  return orders.flatMap((order) => {
    const sorted = sortedRows(rows, order);
    return FILTERS.flatMap((filter) => {
      const { status, type } = filter;
      const matching = sorted.filter(
        (row) => (status === undefined || row.status === status) && (type === undefined || row.type === type),
      );
      return OFFSETS.map((offset) => ({
        query: { ...filter, ...order, offset, limit: LIMIT },
        ids: matching.slice(offset, offset + LIMIT).map(({ id }) => id),
        totalCount: matching.length,
      }));
    });
  });
}

const OFFSETS = [0, 40, 1_190, 2_500, 3_480, 5_960] as const;
const LIMIT = 40;
const FILTERS = [undefined, ...STATUSES].flatMap((status) =>
  [undefined, ...SUBJECT_TYPES].map((type) => ({ status, type, subjectReference: undefined })),
);

function sortedRows(
  rows: readonly Sorted[],
  { sortBy, sortOrder }: Pick<VerificationQuery, 'sortBy' | 'sortOrder'>,
): readonly Sorted[] {
  const nullsLast = (row: Sorted) => Number(row[sortBy] === null);
  const direction = sortOrder === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => nullsLast(a) - nullsLast(b) || direction * compare(a, b, sortBy));
}

function compare(a: Sorted, b: Sorted, field: SortField): number {
  for (const key of [field, 'requestedAt', 'id'] as const) {
    const [left, right] = [a[key] ?? '', b[key] ?? ''];
    if (left < right) return -1;
    if (left > right) return 1;
  }
  return 0;
}
