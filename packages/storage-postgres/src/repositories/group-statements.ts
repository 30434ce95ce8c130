import type { PageSlice } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import { parameter, type Value } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { momentText } from '../rows/parse-row.ts';
import { verifications } from '../schema.ts';

const { clientId, id, status, type, requestedAt, resolvedAt, subjectReference, currentStep } = verifications;

export const OF_CLIENT: SQL = sql`${clientId} = ${parameter('clientId')}`;

type Direction = PageSlice['direction'];

/** Parameters of several slices in one statement are told apart by a number behind their names. */
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
  return sql.join(terms, sql`, `);
}

const selected = (orderedBy: PageSlice['orderedBy']): SQL =>
  sql.join(
    ORDERS[orderedBy].map((column) => sql`${column}`),
    sql`, `,
  );

/**
 * Reads the first verifications of each group in the order of its requests, and sorts them. The groups are parameters, so
 * one statement serves any number of them.
 * @param and further conditions, each beginning with `and`
 */
export function firstOfGroups(named: Numbered, direction: Direction, and: SQL = sql``): SQL {
  const page = sql`limit ${named('limit')} offset ${named('offset')}`;
  return sql`
    select each.* from unnest(${named('statuses')}::text[], ${named('types')}::text[]) as one (status, type)
    cross join lateral (
      select ${selected('requestedAt')} from ${verifications}
      where ${OF_CLIENT} and ${status} = one.status collate "C" and ${type} = one.type collate "C"
        and ${requestedAt} >= ${named('from')} and ${requestedAt} < ${named('until')} ${and}
      order by ${orderBy('requestedAt', direction)} limit ${named('limit')}::bigint + ${named('offset')}::bigint
    ) as each
    order by ${orderBy('requestedAt', direction)} ${page}`;
}

/** Selects the ids of a slice and the columns of its order, in its direction. */
export function sliceStatement(named: Numbered, slice: PageSlice, isWhole: boolean): SQL {
  const { orderedBy, direction, groups } = slice;
  if (orderedBy === 'requestedAt') return firstOfGroups(named, direction);
  const page = sql`limit ${named('limit')} offset ${named('offset')}`;
  const ofGroup = (index: number): SQL =>
    sql`${status} = ${named(`status${index}_`)} and ${type} = ${named(`type${index}_`)}`;
  if (orderedBy === 'resolvedAt') {
    const arms = groups.map(
      (_, index) => sql`select ${selected(orderedBy)} from ${verifications}
        where ${OF_CLIENT} and ${ofGroup(index)} and ${resolvedAt} is not null`,
    );
    return sql`select * from (${sql.join(arms, sql` union all `)}) as decided
      order by ${orderBy(orderedBy, direction)} ${page}`;
  }
  const inGroups = isWhole
    ? sql`true`
    : sql`(${sql.join(
        groups.map((_, index) => sql`(${ofGroup(index)})`),
        sql` or `,
      )})`;
  return sql`select ${selected(orderedBy)} from ${verifications} where ${OF_CLIENT} and ${inGroups}
    order by ${orderBy(orderedBy, direction)} ${page}`;
}

/** The place of each record on its page, from the columns that the slice selects. */
export function placeIn({ orderedBy, direction, reversed }: PageSlice, number: number): SQL {
  const onPage = reversed ? (direction === 'asc' ? 'desc' : 'asc') : direction;
  return sql`row_number() over (order by ${orderBy(orderedBy, onPage)}) + ${sql.raw(String(number * LARGEST_PAGE))}`;
}

/** More than any page has. */
const LARGEST_PAGE = 1_000_000;

/** Shape of a slice: slices of one shape have one statement, with other values. */
export function shapeOf({ orderedBy, direction, groups, reversed }: PageSlice, isWhole: boolean): string {
  const number = orderedBy === 'requestedAt' || (isWhole && orderedBy !== 'resolvedAt') ? '' : groups.length;
  return [orderedBy, direction, reversed, number].join();
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
