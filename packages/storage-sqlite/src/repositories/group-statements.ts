import type { PageSlice } from '@countersign/domain/storage';
import { isBefore, list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { parameter } from '../connection/compiled.ts';
import { sql } from '../drizzle.ts';
import { verifications } from '../schema.ts';

const { clientId, status, type, requestedAt, resolvedAt, currentStep, id } = verifications;

export const ROWID: SQL = sql`rowid`;

/** `limit` and `offset` of a slice. */
export const PAGE: SQL = sql`limit ${sql.placeholder('limit')} offset ${sql.placeholder('offset')}`;

/** The orders that indexes have behind the group, with their columns. */
const ORDERS = {
  requestedAt: [requestedAt, id],
  resolvedAt: [resolvedAt, requestedAt, id],
  currentStep: [currentStep, requestedAt, id],
} as const;

/** Slices that merge groups, each of which is read in the order of an index. */
export type MergedSlice = PageSlice & {
  readonly orderedBy: keyof typeof ORDERS;
  /** Verifications requested exactly at `requestedUntil` are read, too, if their id is less than this one. */
  readonly untilId?: string | undefined;
};

export function isMerged(slice: PageSlice): slice is MergedSlice {
  return slice.orderedBy in ORDERS;
}

/** Matches the span of a slice. The end is one bound, because the index can use only one. */
export const REQUESTED_WITHIN: SQL = sql`${requestedAt} >= ${parameter('from')}
  and ${isBefore([requestedAt, id], ['until', 'untilId'].map(parameter))}`;

/** Values for the statements of a slice. */
export function valuesOf(client: string, slice: Omit<MergedSlice, 'orderedBy'>): Record<string, string | number> {
  const { groups, requestedFrom, requestedUntil, untilId, offset, limit } = slice;
  const ofGroups: Record<string, string> = {};
  for (const [index, { status, type }] of groups.entries()) {
    ofGroups[`status${index}`] = status;
    ofGroups[`type${index}`] = type;
  }
  return {
    ...ofGroups,
    clientId: client,
    from: requestedFrom?.getTime() ?? Number.MIN_SAFE_INTEGER,
    until: requestedUntil?.getTime() ?? Number.MAX_SAFE_INTEGER,
    // No id is less than the empty text.
    untilId: untilId ?? '',
    offset,
    limit,
  };
}

/** Selects row ids, as `found`, and the columns of the order. Reads groups in order and merges them. */
export function mergedGroups({ orderedBy, direction, groups }: MergedSlice): SQL {
  const columns = ORDERS[orderedBy];
  return sql`${selectParts(orderedBy, groups, columns)} order by ${orderByNumber(columns.length, direction)}`;
}

/**
 * Selects row ids, as `found`, and columns of groups in no order. The index by step shows the subjects; only pending
 * verifications that are not begun are looked up.
 */
export function collectedGroups({ groups }: Pick<PageSlice, 'groups'>, columns: readonly unknown[]): SQL {
  return selectParts('currentStep', groups, columns);
}

function selectParts(
  orderedBy: MergedSlice['orderedBy'],
  groups: PageSlice['groups'],
  columns: readonly unknown[],
): SQL {
  const arms = groups.flatMap((group, index) =>
    PARTS[orderedBy](group).map((part) => selectGroup(columns, index, part)),
  );
  return sql.join(arms, sql` union all `);
}

/**
 * Returns how many index entries a slice reads at most. In the order of steps, pending verifications that are begun may
 * come before those that are not.
 * @param countBegun counts those of some groups
 */
export function mergedEntriesOf(
  { orderedBy, groups, offset, limit }: MergedSlice,
  countBegun: (groups: PageSlice['groups']) => number,
): number {
  const pending = orderedBy === 'currentStep' ? groups.filter(({ status }) => status === 'pending') : [];
  return offset + limit + countBegun(pending);
}

/** Selects pending verifications of groups that are begun. */
export function begunIn({ groups }: Pick<PageSlice, 'groups'>): SQL {
  return sql.join(
    groups.map((_, index) => selectGroup([], index, BY_STEP)),
    sql` union all `,
  );
}

/** Stands for all slices whose statement is the same. */
export function shapeOf({ orderedBy, direction, groups }: MergedSlice): string {
  return `${orderedBy} ${direction} ${partsOf(orderedBy, groups)}`;
}

/** The same for `collectedGroups`. */
export function collectedShapeOf({ direction, groups }: PageSlice): string {
  return `${direction} ${partsOf('currentStep', groups)}`;
}

function partsOf(orderedBy: MergedSlice['orderedBy'], groups: PageSlice['groups']): string {
  return groups.map((group) => PARTS[orderedBy](group).length).join(' ');
}

/** The terms of a compound's order are columns by number. The first column is the row id. */
export function orderByNumber(columns: number, direction: 'asc' | 'desc'): SQL {
  return sql.raw(Array.from({ length: columns }, (_, index) => `${index + 2} ${direction}`).join());
}

/** Selects row ids, as `found`, and other columns of all groups of a slice. */
export function selectGroups({ groups }: Pick<PageSlice, 'groups'>, columns: readonly unknown[] = []): SQL {
  return sql.join(
    groups.map((_, index) => selectGroup(columns, index, BY_REQUEST)),
    sql` union all `,
  );
}

/**
 * Verifications of a group that one index has in its order. The index is named: otherwise SQLite could choose to read all
 * verifications of the client in the order of the result.
 */
interface PartOfGroup {
  readonly index: SQL;
  readonly condition: SQL;
}

const BY_REQUEST: PartOfGroup = { index: sql`verifications_groups`, condition: REQUESTED_WITHIN };
const BY_DECISION: PartOfGroup = {
  index: sql`verifications_resolved`,
  condition: sql`${resolvedAt} is not null`,
};
/** SQLite uses the index only for its own condition. */
const BY_STEP: PartOfGroup = {
  index: sql`verifications_steps`,
  condition: sql`(${status} <> 'pending' or ${currentStep} > 0)`,
};
/** They are equal in the order of steps, so the order of requests is theirs. */
const NOT_BEGUN: PartOfGroup = { index: sql`verifications_groups`, condition: sql`${currentStep} = 0` };

/** The parts of a group in each order. */
const PARTS: Readonly<
  Record<MergedSlice['orderedBy'], (group: PageSlice['groups'][number]) => readonly PartOfGroup[]>
> = {
  requestedAt: () => [BY_REQUEST],
  resolvedAt: () => [BY_DECISION],
  currentStep: (group) => (group.status === 'pending' ? [BY_STEP, NOT_BEGUN] : [BY_STEP]),
};

function selectGroup(columns: readonly unknown[], index: number, part: PartOfGroup): SQL {
  const selected = [sql`${ROWID} as found`, ...columns.map((column) => sql`${column}`)];
  return sql`select ${list(selected)} from ${verifications} indexed by ${part.index}
    where ${clientId} = ${parameter('clientId')} and ${ofGroup(index)} and ${part.condition}`;
}

function ofGroup(index: number): SQL {
  return sql`${status} = ${parameter(`status${index}`)} and ${type} = ${parameter(`type${index}`)}`;
}

/** Matches verifications of groups. */
export function inGroups(groups: PageSlice['groups']): SQL {
  return sql`(${sql.join(
    groups.map((_, index) => sql`(${ofGroup(index)})`),
    sql` or `,
  )})`;
}
