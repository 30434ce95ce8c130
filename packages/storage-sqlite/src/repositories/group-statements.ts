import type { PageSlice } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import { parameter } from '../connection/compiled.ts';
import { sql } from '../drizzle.ts';
import { verifications } from '../schema.ts';

const { clientId, status, type, requestedAt, resolvedAt, id } = verifications;

export const ROWID: SQL = sql`rowid`;

/** `limit` and `offset` of a slice. */
export const PAGE: SQL = sql`limit ${sql.placeholder('limit')} offset ${sql.placeholder('offset')}`;

/** The orders that indexes have behind the group, with their columns. */
const ORDERS = {
  requestedAt: [requestedAt, id],
  resolvedAt: [resolvedAt, requestedAt, id],
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
  and (${requestedAt}, ${id}) < (${parameter('until')}, ${parameter('untilId')})`;

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
  const within = orderedBy === 'resolvedAt' ? sql`${resolvedAt} is not null` : REQUESTED_WITHIN;
  const arms = groups.map((_, index) => selectGroup(columns, index, within));
  return sql`${sql.join(arms, sql` union all `)} order by ${orderByNumber(columns.length, direction)}`;
}

/** The terms of a compound's order are columns by number. The first column is the row id. */
export function orderByNumber(columns: number, direction: 'asc' | 'desc'): SQL {
  return sql.raw(Array.from({ length: columns }, (_, index) => `${index + 2} ${direction}`).join());
}

/** Selects row ids, as `found`, and other columns of all groups of a slice. */
export function selectGroups({ groups }: Pick<PageSlice, 'groups'>, columns: readonly unknown[] = []): SQL {
  return sql.join(
    groups.map((_, index) => selectGroup(columns, index, REQUESTED_WITHIN)),
    sql` union all `,
  );
}

/** Otherwise SQLite could choose to read all verifications of the client in the order of the result. */
const BY_GROUP = sql`indexed by verifications_groups`;
const BY_DECISION = sql`indexed by verifications_resolved`;

function selectGroup(columns: readonly unknown[], index: number, within: SQL): SQL {
  const selected = [sql`${ROWID} as found`, ...columns.map((column) => sql`${column}`)];
  const named = within === REQUESTED_WITHIN ? BY_GROUP : BY_DECISION;
  return sql`select ${sql.join(selected, sql`, `)} from ${verifications} ${named}
    where ${clientId} = ${parameter('clientId')} and ${ofGroup(index)} and ${within}`;
}

function ofGroup(index: number): SQL {
  return sql`${status} = ${parameter(`status${index}`)} and ${type} = ${parameter(`type${index}`)}`;
}

/** Matches verifications of the groups of a slice; of any group if it has none. */
export function inGroups({ groups }: Pick<PageSlice, 'groups'>): SQL {
  if (groups.length === 0) return sql`true`;
  return sql`(${sql.join(
    groups.map((_, index) => sql`(${ofGroup(index)})`),
    sql` or `,
  )})`;
}
