import { countOf, type PageSlice, type VerificationGroup } from '@countersign/domain/storage';
import type { SQL } from 'drizzle-orm';
import { type Columns, createStatementCache, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { verifications } from '../schema.ts';
import {
  collectedGroups,
  collectedShapeOf,
  inGroups,
  orderByNumber,
  PAGE,
  ROWID,
  selectGroups,
  valuesOf,
} from './group-statements.ts';
import { activeOf, cheapestPlan, type SubjectPlan } from './subject-plans.ts';

const { clientId, subjectReference, requestedAt, id, resolvedAt, status, type } = verifications;
const BY_SUBJECT = sql`${verifications} indexed by verifications_one_active where ${clientId} = ${parameter('clientId')}`;
/** The last column of the index of subjects: empty for an active verification, the group and the id for a decided one. */
const PLACE = sql`(case when ${resolvedAt} is null then '' else ${status} || ' ' || ${type} || ' ' || ${id} end)`;

/** Reads slices in the order of subjects. */
export interface SubjectSlices {
  /** Returns the row ids of a slice in its direction. */
  read(client: string, slice: PageSlice, ofClient: readonly VerificationGroup[]): number[];
  /** Estimates the work, as a number of entries of an index. */
  entriesOf(slice: PageSlice, ofClient: readonly VerificationGroup[]): number;
}

/** A walk over the index of subjects. Groups of active verifications come first. */
interface Walk extends PageSlice {
  readonly activeIn: Exclude<SubjectPlan, { kind: 'collected' }>['activeIn'];
  /** Whether the slice leaves out some of the client's verifications. */
  readonly isFiltered: boolean;
}

/**
 * The cost of these slices grows with the offset and with the number of verifications to walk: an index for this order
 * would cost every creation more than a tenth.
 */
export function createSubjectSlices({ connection }: Pick<Session, 'connection'>): SubjectSlices {
  const statementFor = createStatementCache(connection);

  /** Returns the subject at the offset, and how many of its verifications come before the offset. */
  function subjectAtOffset(walk: Walk, values: object): { subject: unknown; before: number } | null {
    const shape = shapeOf(walk);
    const found = statementFor(`subject ${shape}`, () => subjectAt(walk)).get({ ...values, limit: 1 });
    if (found === undefined) return null;
    const [rowid, subject] = found;
    const all = statementFor(`all of subject ${shape}`, () => allOfSubject(walk)).all({ ...values, subject });
    return { subject, before: all.findIndex(([each]) => each === rowid) };
  }

  function rowsOf(client: string, slice: PageSlice, ofClient: readonly VerificationGroup[]): Columns[] {
    const { plan } = cheapestPlan(slice, ofClient);
    if (plan.kind === 'collected') {
      const statement = statementFor(`collected ${collectedShapeOf(slice)}`, () => collected(slice));
      return statement.all(valuesOf(client, slice));
    }
    const active = activeOf(slice.groups);
    const groups = [...active, ...slice.groups.filter((group) => !active.includes(group))];
    const isFiltered = countOf(groups) < countOf(ofClient);
    const walk = { ...slice, groups, isFiltered, activeIn: plan.activeIn };
    const values = { ...valuesOf(client, walk), ...placesOf(walk) };
    if (plan.kind === 'walked') return statementFor(`walked ${shapeOf(walk)}`, () => walked(walk)).all(values);
    const start = subjectAtOffset(walk, values);
    if (start === null) return [];
    const fromSubject = { ...values, subject: start.subject, offset: start.before };
    const statement = statementFor(`from subject ${shapeOf(walk)}`, () =>
      walked(walk, FROM_SUBJECT[slice.direction]),
    );
    return statement.all(fromSubject);
  }

  return {
    read: (...given) => rowsOf(...given).map(([rowid]) => Number(rowid)),
    entriesOf: (slice, ofClient) => cheapestPlan(slice, ofClient).entries,
  };
}

function collected(slice: PageSlice): SQL {
  const rows = collectedGroups(slice, [subjectReference, requestedAt, id]);
  return sql`${rows} order by ${orderByNumber(3, slice.direction)} ${PAGE}`;
}

const FROM_SUBJECT = {
  asc: sql`${subjectReference} >= ${parameter('subject')}`,
  desc: sql`${subjectReference} <= ${parameter('subject')}`,
} as const;

function walked(walk: Walk, from: SQL = sql`true`): SQL {
  const direction = sql.raw(walk.direction);
  return sql`select ${ROWID} from ${BY_SUBJECT} and ${from} and ${isInSlice(walk)}
    order by ${subjectReference} ${direction}, ${requestedAt} ${direction}, ${id} ${direction} ${PAGE}`;
}

function subjectAt(walk: Walk): SQL {
  const direction = sql.raw(walk.direction);
  return sql`select ${ROWID}, ${subjectReference} from ${BY_SUBJECT} and ${isInSlice(walk)}
    order by ${subjectReference} ${direction}, ${PLACE} ${direction} ${PAGE}`;
}

function allOfSubject(walk: Walk): SQL {
  return sql`select ${ROWID} from ${BY_SUBJECT} and ${subjectReference} = ${parameter('subject')} and ${isInSlice({ ...walk, activeIn: 'rows' })}
    order by ${PLACE} ${sql.raw(walk.direction)}`;
}

/** Matches verifications of the groups of a walk. Decided ones are not looked up. */
function isInSlice({ groups, activeIn, isFiltered }: Walk): SQL {
  if (!isFiltered) return sql`true`;
  const active = activeOf(groups);
  const decided = groups
    .slice(active.length)
    .map(
      (_, index) =>
        sql`(${PLACE} > ${parameter(`place${index}`)} and ${PLACE} < ${parameter(`afterPlace${index}`)})`,
    );
  const found =
    activeIn === 'groups'
      ? sql`+${ROWID} in (select found from (${selectGroups({ groups: active })}))`
      : inGroups(active);
  const ofActive = active.length === 0 ? [] : [sql`(${PLACE} = '' and ${found})`];
  return sql`(${sql.join([...decided, ...ofActive], sql` or `)})`;
}

/** The bounds of the places that decided verifications of each group have. */
function placesOf({ groups }: Walk): Record<string, string> {
  const decided = groups.slice(activeOf(groups).length);
  return Object.fromEntries(
    decided.flatMap(({ status, type }, index) => [
      [`place${index}`, `${status} ${type} `],
      [`afterPlace${index}`, `${status} ${type}!`],
    ]),
  );
}

function shapeOf({ direction, groups, activeIn, isFiltered }: Walk): string {
  const active = activeOf(groups).length;
  return isFiltered ? `${direction} ${active} ${groups.length - active} ${activeIn}` : direction;
}
