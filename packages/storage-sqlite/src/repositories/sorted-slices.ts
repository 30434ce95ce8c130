import { countOf, type PageSlice } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import { type Columns, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { createStatementCache } from '../connection/statement-cache.ts';
import { sql } from '../drizzle.ts';
import { verifications } from '../schema.ts';
import { inGroups, orderByNumber, PAGE, ROWID, selectGroups, valuesOf } from './group-statements.ts';

/** How verifications of some groups are read in the order of their subjects. */
type SubjectWay =
  /** Collects the groups and sorts them. */
  | 'collected'
  /** Walks the index of subjects and looks up each row. */
  | 'walked'
  /** The same from the subject at the offset, which is found in the indexes alone. */
  | 'walked from the offset';

/** Number of rows that are looked up rather than finding the subject at the offset first. */
const LOOKED_UP = 200;

/** Looking up a row costs as much as collecting so many entries of a group. */
const COLLECTED_FOR_ONE = 8;

/** Number of verifications that are collected and sorted rather than walked. */
const COLLECTED_AT_MOST = 20_000;

const { clientId, subjectReference, requestedAt, id, resolvedAt } = verifications;
const BY_SUBJECT = sql`${verifications} indexed by verifications_one_active where ${clientId} = ${parameter('clientId')}`;
/** The last column of the index of subjects. */
const PLACE = sql`(case when ${resolvedAt} is null then '' else ${id} end)`;

/** Reads slices in the order of subjects. */
export interface SortedSlices {
  /** Returns the row ids of a slice in its direction. */
  read(client: string, slice: PageSlice, verificationsOfClient: number): number[];
  /** Estimates the work, as a number of entries of an index. */
  entriesOf(slice: PageSlice, verificationsOfClient: number): number;
}

/**
 * The cost of these slices grows with the offset and with the number of verifications to sort: an index for this order
 * would cost every creation more than a tenth.
 */
export function createSortedSlices({ connection }: Pick<Session, 'connection'>): SortedSlices {
  const statementFor = createStatementCache(connection);

  /** Returns the subject at the offset, and how many of its verifications come before the offset. */
  function subjectAtOffset(
    slice: PageSlice,
    shape: string,
    values: object,
  ): { subject: unknown; before: number } | null {
    const found = statementFor(`subject ${shape}`, () => subjectAt(slice)).get({ ...values, limit: 1 });
    if (found === undefined) return null;
    const [rowid, subject] = found;
    const all = statementFor(`all of subject ${shape}`, () => allOfSubject(slice)).all({ ...values, subject });
    return { subject, before: all.findIndex(([each]) => each === rowid) };
  }

  function rowsOf(client: string, slice: PageSlice, verificationsOfClient: number): Columns[] {
    const { direction, groups } = slice;
    const values = valuesOf(client, slice);
    const way = wayOf(slice, verificationsOfClient);
    if (way === 'collected') {
      return statementFor(`collected ${direction} ${groups.length}`, () => collected(slice)).all(values);
    }
    // Without groups, the statements match all verifications of the client.
    const filtered = countOf(groups) === verificationsOfClient ? { ...slice, groups: [] } : slice;
    const shape = `${direction} ${filtered.groups.length}`;
    if (way === 'walked') return statementFor(`walked ${shape}`, () => walked(filtered)).all(values);
    const start = subjectAtOffset(filtered, shape, values);
    if (start === null) return [];
    const fromSubject = { ...values, subject: start.subject, offset: start.before };
    return statementFor(`from subject ${shape}`, () => walked(filtered, FROM_SUBJECT[direction])).all(fromSubject);
  }

  return { read: (...given) => rowsOf(...given).map(([rowid]) => Number(rowid)), entriesOf };
}

function entriesOf(slice: PageSlice, verificationsOfClient: number): number {
  const { groups, offset, limit } = slice;
  const matching = countOf(groups);
  const walkedForOne = verificationsOfClient / matching;
  switch (wayOf(slice, verificationsOfClient)) {
    case 'collected':
      return matching * COLLECTED_FOR_ONE;
    case 'walked':
      return (offset + limit) * walkedForOne * COLLECTED_FOR_ONE;
    case 'walked from the offset':
      return matching + (offset + limit * COLLECTED_FOR_ONE) * walkedForOne;
  }
}

function wayOf({ groups, offset, limit }: PageSlice, verificationsOfClient: number): SubjectWay {
  const matching = countOf(groups);
  const walkedForOne = verificationsOfClient / matching;
  if (matching <= (offset + limit) * walkedForOne && matching <= COLLECTED_AT_MOST) return 'collected';
  const entries = matching === verificationsOfClient ? 0 : matching;
  return offset * walkedForOne <= LOOKED_UP + entries / COLLECTED_FOR_ONE ? 'walked' : 'walked from the offset';
}

function collected(slice: PageSlice): SQL {
  const rows = selectGroups(slice, [subjectReference, requestedAt, id]);
  return sql`${rows} order by ${orderByNumber(3, slice.direction)} ${PAGE}`;
}

const FROM_SUBJECT = {
  asc: sql`${subjectReference} >= ${parameter('subject')}`,
  desc: sql`${subjectReference} <= ${parameter('subject')}`,
} as const;

function walked(slice: PageSlice, from: SQL = sql`true`): SQL {
  const direction = sql.raw(slice.direction);
  return sql`select ${ROWID} from ${BY_SUBJECT} and ${from} and ${inGroups(slice)}
    order by ${subjectReference} ${direction}, ${requestedAt} ${direction}, ${id} ${direction} ${PAGE}`;
}

function subjectAt(slice: PageSlice): SQL {
  const direction = sql.raw(slice.direction);
  const isIncluded =
    slice.groups.length === 0 ? sql`true` : sql`+${ROWID} in (select found from (${selectGroups(slice)}))`;
  return sql`select ${ROWID}, ${subjectReference} from ${BY_SUBJECT} and ${isIncluded}
    order by ${subjectReference} ${direction}, ${PLACE} ${direction} ${PAGE}`;
}

function allOfSubject(slice: PageSlice): SQL {
  return sql`select ${ROWID} from ${BY_SUBJECT} and ${subjectReference} = ${parameter('subject')} and ${inGroups(slice)}
    order by ${PLACE} ${sql.raw(slice.direction)}`;
}
