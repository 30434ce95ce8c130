import { countOf, type PageSlice } from '@countersign/domain/storage';
import { list } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { parameter, type Value } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { momentText } from '../rows/parse-row.ts';
import { verifications } from '../schema.ts';

const { clientId, id, status, type, requestedAt, resolvedAt, subjectReference, currentStep } = verifications;

export const OF_CLIENT: SQL = sql`${clientId} = ${parameter('clientId')}`;

type Direction = PageSlice['direction'];

/** Creates a parameter of one slice. Its name ends with the number of the slice, because a statement can have several slices. */
type Numbered = (name: string) => SQL;

export const numbered =
  (number: number): Numbered =>
  (name) =>
    parameter(`${name}${number}`);

/** Columns by which slices are ordered; `id` is the last one. */
const ORDERS = {
  requestedAt: [requestedAt, id],
  resolvedAt: [resolvedAt, requestedAt, id],
  subjectReference: [subjectReference, requestedAt, id],
  currentStep: [currentStep, requestedAt, id],
} as const;

function orderBy(orderedBy: PageSlice['orderedBy'], direction: Direction): SQL {
  const terms = ORDERS[orderedBy].map((column) => sql`${sql.identifier(column.name)} ${sql.raw(direction)}`);
  return list(terms);
}

const selected = (orderedBy: PageSlice['orderedBy']): SQL =>
  list(ORDERS[orderedBy].map((column) => sql`${column}`));

/** The orders that indexes have behind the group. */
type GroupOrder = 'requestedAt' | 'resolvedAt' | 'currentStep';

/** Verifications of a group that one index has in an order. */
interface PartOfGroup {
  /** No plan could use a partial index without its condition. */
  readonly condition: (named: Numbered) => SQL;
  /** Matches the groups that have such verifications. */
  readonly groups: SQL;
}

const EVERY_GROUP = sql`true`;

/** The parts of the groups in each order. */
const PARTS: Readonly<Record<GroupOrder, readonly [PartOfGroup, ...PartOfGroup[]]>> = {
  requestedAt: [
    {
      condition: (named) => sql`${requestedAt} >= ${named('from')} and ${requestedAt} < ${named('until')}`,
      groups: EVERY_GROUP,
    },
  ],
  resolvedAt: [{ condition: () => sql`${resolvedAt} is not null`, groups: EVERY_GROUP }],
  currentStep: [
    { condition: () => sql`(${status} <> 'pending' or ${currentStep} > 0)`, groups: EVERY_GROUP },
    // They are equal in the order of steps, so they are read in the order of requests.
    {
      condition: () => sql`${status} = 'pending' and ${currentStep} = 0`,
      groups: sql`one.status = 'pending'`,
    },
  ],
};

/**
 * Reads the first verifications of each group in the order of an index, and sorts them. The groups are parameters, so one
 * statement serves any number of them. A merge of the groups would sort less, but a plan for any limit chooses to sort all.
 * @param and further conditions, each beginning with `and`
 */
export function firstOfGroups(
  named: Numbered,
  { orderedBy, direction }: { readonly orderedBy: GroupOrder; readonly direction: Direction },
  and: SQL = sql``,
): SQL {
  const order = orderBy(orderedBy, direction);
  const parts = PARTS[orderedBy].map(
    ({ condition, groups }) => sql`
    select each.* from unnest(${named('statuses')}::text[], ${named('types')}::text[]) as one (status, type)
    cross join lateral (
      select ${selected(orderedBy)} from ${verifications}
      where ${OF_CLIENT} and ${status} = one.status collate "C" and ${type} = one.type collate "C"
        and ${condition(named)} ${and}
      order by ${order} limit ${named('limit')}::bigint + ${named('offset')}::bigint
    ) as each
    where ${groups}`,
  );
  return sql`${sql.join(parts, sql` union all `)}
    order by ${order} limit ${named('limit')} offset ${named('offset')}`;
}

/** How a slice is read for whose order groups have no index. */
export type Way =
  /** All verifications of the client, in the order of an index if there is one. */
  | 'whole'
  /** The same, and others than those of the groups are skipped. */
  | 'walked'
  /** Those of the groups, which are sorted. */
  | 'collected';

/** Fetching a row of a group costs as much as reading so many entries of the index of subjects. */
const WALKED_FOR_ONE = 20;

/** Chooses the way of least cost for a slice. */
export function wayOf(
  { groups, offset, limit }: PageSlice,
  verificationsOfClient: number,
  isFiltered: boolean,
): Way {
  if (!isFiltered) return 'whole';
  const matching = countOf(groups);
  const walked = ((offset + limit) * verificationsOfClient) / matching;
  return matching * WALKED_FOR_ONE <= walked ? 'collected' : 'walked';
}

/** Selects the ids of a slice and the columns of its order, in its direction. */
export function sliceStatement(named: Numbered, slice: PageSlice, way: Way): SQL {
  const { orderedBy, direction, groups } = slice;
  if (isGroupOrder(orderedBy)) return firstOfGroups(named, { orderedBy, direction });
  const page = sql`limit ${named('limit')} offset ${named('offset')}`;
  const ofGroup = (index: number): SQL =>
    sql`${status} = ${named(`status${index}_`)} and ${type} = ${named(`type${index}_`)}`;
  const inGroups =
    way === 'whole'
      ? sql`true`
      : sql`(${sql.join(
          groups.map((_, index) => sql`(${ofGroup(index)})`),
          sql` or `,
        )})`;
  const matches = sql`select ${selected(orderedBy)} from ${verifications} where ${OF_CLIENT} and ${inGroups}`;
  // The offset keeps the planner from walking all verifications of the client in their order to find a few.
  const rows = way === 'collected' ? sql`select * from (${matches} offset 0) as collected` : matches;
  return sql`${rows} order by ${orderBy(orderedBy, direction)} ${page}`;
}

function isGroupOrder(orderedBy: PageSlice['orderedBy']): orderedBy is GroupOrder {
  return orderedBy in PARTS;
}

/** The place of each record on its page, from the columns that the slice selects. */
export function placeIn({ orderedBy, direction, reversed }: PageSlice, number: number): SQL {
  const onPage = reversed ? (direction === 'asc' ? 'desc' : 'asc') : direction;
  return sql`row_number() over (order by ${orderBy(orderedBy, onPage)}) + ${sql.raw(String(number * LARGEST_PAGE))}`;
}

/** More than any page has. */
const LARGEST_PAGE = 1_000_000;

/** Shape of a slice: slices of one shape have one statement, with other values. */
export function shapeOf({ orderedBy, direction, groups, reversed }: PageSlice, way: Way): string {
  if (isGroupOrder(orderedBy)) return [orderedBy, direction, reversed].join();
  return [orderedBy, direction, reversed, way, way === 'whole' ? '' : groups.length].join();
}

/** Values for the statement of a slice. */
export function valuesOf(slice: PageSlice, number: number): Record<string, Value> {
  const { groups, requestedFrom, requestedUntil, offset, limit } = slice;
  const values: Record<string, Value> = {
    ...groupValues(groups),
    from: requestedFrom === undefined ? '-infinity' : momentText(requestedFrom),
    until: requestedUntil === undefined ? 'infinity' : momentText(requestedUntil),
    offset,
    limit,
  };
  for (const [index, { status, type }] of groups.entries()) {
    values[`status${index}_`] = status;
    values[`type${index}_`] = type;
  }
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}${number}`, value]));
}

/** Groups as two arrays. */
export function groupValues(groups: readonly Pick<PageSlice['groups'][number], 'status' | 'type'>[]): {
  readonly statuses: string;
  readonly types: string;
} {
  return {
    statuses: `{${groups.map(({ status }) => status).join()}}`,
    types: `{${groups.map(({ type }) => type).join()}}`,
  };
}
