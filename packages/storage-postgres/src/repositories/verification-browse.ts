import { STATUSES, SUBJECT_TYPES } from '@countersign/domain';
import {
  type BrowseQuery,
  firstTextAfter,
  type VerificationRepository,
  wholeDaysIn,
} from '@countersign/domain/storage';
import { createShapes, isBefore } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, statementOf, type Value } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, isStorable, momentText, parseInteger } from '../rows/parse-row.ts';
import { verificationCounts, verifications } from '../schema.ts';
import { firstOfGroups, groupValues, OF_CLIENT } from './group-statements.ts';
import { pageOf, WITHOUT_DOCUMENTS } from './verification-pages.ts';

const { requestedAt, id, status, type, subjectReference } = verifications;

/** A prefix is a range, for which every plan can use an index. No text but the prefix of all is before the empty one. */
const WITH_PREFIX = sql`${subjectReference} >= ${parameter('prefix')}`;
const BEFORE_END = sql`${subjectReference} < ${parameter('beyondPrefix')}`;
const AFTER = isBefore([requestedAt, id], ['afterAt', 'afterId'].map(parameter));

interface SearchShape {
  readonly hasPrefix: boolean;
  /** False for a prefix after which no text comes. */
  readonly hasPrefixEnd: boolean;
}

/** What a statement of `browse` has besides the groups and the span. */
interface Shape extends SearchShape {
  readonly isAfter: boolean;
  readonly withoutTotal: boolean;
  /** Whether matches are counted up to a number only. */
  readonly isBounded: boolean;
  /** Whether so many references have the prefix that verifications are compared with it, the newest first. */
  readonly isCommon: boolean;
}

/** Number of references with a prefix that are collected and sorted. */
const FEW = 20_000;

/** One statement for the page and the count, made at the first query of its shape. */
export function createBrowse({ read }: Session): VerificationRepository['browse'] {
  const statements = createShapes<Statement>();

  /** Counts the references with a prefix, to choose a plan. */
  async function countFew(search: SearchShape, values: Record<string, Value>): Promise<number> {
    const [row] = await read(search.hasPrefixEnd ? COUNT_FEW : COUNT_FEW_TO_THE_END, { ...values, few: FEW });
    return parseInteger('count', row?.[0]);
  }

  return async (clientId, query) => {
    const { subjectReferencePrefix: prefix = '', after, limit, countUpTo, withoutTotal = false } = query;
    if (!areIds(clientId) || (after !== undefined && !areIds(after.id)) || !isStorable(prefix)) {
      return { records: [], totalCount: 0 };
    }
    const beyondPrefix = firstTextAfter(prefix);
    const isSearch = { hasPrefix: prefix !== '', hasPrefixEnd: beyondPrefix !== null };
    const isCommon = isSearch.hasPrefix && (await countFew(isSearch, { clientId, prefix, beyondPrefix })) === FEW;
    const shape = {
      ...isSearch,
      isCommon,
      isBounded: countUpTo !== undefined,
      isAfter: after !== undefined,
      withoutTotal,
    };
    const statement = statements(JSON.stringify(shape), () => statementFor(shape));
    const position = after === undefined ? {} : { afterAt: momentText(after.requestedAt), afterId: after.id };
    const most = (countUpTo ?? 0) + 1;
    const values = { ...valuesOf(query), ...position, prefix, beyondPrefix, clientId, limit, offset: 0, most };
    return pageOf(await read(statement, values));
  };
}

/** Returns the groups and the span of a query: as moments, as whole days, and as two parts of days. */
function valuesOf({ requestedFrom, requestedUntil, ...filter }: BrowseQuery): Record<string, Value> {
  const groups = STATUSES.flatMap((status) => SUBJECT_TYPES.map((type) => ({ status, type }))).filter(
    (group) =>
      (filter.status === undefined || group.status === filter.status) &&
      (filter.type === undefined || group.type === filter.type),
  );
  const { firstDay, endDay, parts } = wholeDaysIn(requestedFrom, requestedUntil);
  const [first, second] = parts;
  return {
    ...groupValues(groups),
    ...spanValues('', { from: requestedFrom, until: requestedUntil }),
    ...spanValues('Part1', first ?? EMPTY),
    ...spanValues('Part2', second ?? EMPTY),
    firstDay: Math.max(firstDay, -(2 ** 31)),
    endDay: Math.min(endDay, 2 ** 31 - 1),
  };
}

const EMPTY = { from: new Date(0), until: new Date(0) };

function spanValues(
  name: string,
  { from, until }: { readonly from: Date | undefined; readonly until: Date | undefined },
): Record<string, Value> {
  return {
    [`from${name}`]: from === undefined ? '-infinity' : momentText(from),
    [`until${name}`]: until === undefined ? 'infinity' : momentText(until),
  };
}

const NEWEST_FIRST = { orderedBy: 'requestedAt', direction: 'desc' } as const;

function conditionOf({ hasPrefixEnd }: SearchShape): SQL {
  return hasPrefixEnd ? sql`${WITH_PREFIX} and ${BEFORE_END}` : WITH_PREFIX;
}

function countFewStatement(hasPrefixEnd: boolean): Statement {
  return statementOf(sql`
    select count(*)::integer from (
      select 1 from ${verifications} where ${OF_CLIENT} and ${conditionOf({ hasPrefix: true, hasPrefixEnd })}
      limit ${parameter('few')}
    ) as counted`);
}
const COUNT_FEW = countFewStatement(true);
const COUNT_FEW_TO_THE_END = countFewStatement(false);

function statementFor(shape: Shape): Statement {
  const { hasPrefix, isAfter, withoutTotal, isBounded, isCommon } = shape;
  const after = isAfter ? sql` and ${AFTER}` : sql``;
  const search = conditionOf(shape);
  const counted = !hasPrefix
    ? COUNTED_BY_DAY
    : isBounded
      ? sql`(select count(*) from (select 1 from ${matchesOf(search)} limit ${parameter('most')}) as counted)`
      : sql`(select count(*) from ${matchesOf(search)})`;
  const page = isCommon
    ? firstOfGroups(parameter, NEWEST_FIRST, sql` and ${search}${after}`)
    : hasPrefix
      ? sql`select ${requestedAt}, ${id} from ${matchesOf(search)} ${after}
        order by ${requestedAt} desc, ${id} desc limit ${parameter('limit')}`
      : firstOfGroups(parameter, NEWEST_FIRST, after);
  return statementOf(sql`
    select ${WITHOUT_DOCUMENTS}, total.count
    from (select ${withoutTotal ? sql`0` : counted} as count) as total
    left join (${page}) as page on true
    left join lateral (
      select * from ${verifications} where ${OF_CLIENT} and ${id} = page.id limit 1
    ) as ${verifications} on true
    order by page.requested_at desc, page.id desc`);
}

const IN_GROUPS = sql`(${status}, ${type}) in (
  select one.status collate "C", one.type collate "C"
  from unnest(${parameter('statuses')}::text[], ${parameter('types')}::text[]) as one (status, type))`;

/** The offset keeps the planner from reading all groups to find the few references with a prefix. */
function matchesOf(search: SQL): SQL {
  return sql`
    (select * from ${verifications} where ${OF_CLIENT} and ${search} offset 0) as ${verifications}
    where ${IN_GROUPS} and ${requestedAt} >= ${parameter('from')} and ${requestedAt} < ${parameter('until')}`;
}

function countOneByOne(span: string): SQL {
  return sql`(select count(*) from ${verifications} where ${OF_CLIENT} and ${IN_GROUPS}
    and ${requestedAt} >= ${parameter(`from${span}`)} and ${requestedAt} < ${parameter(`until${span}`)})`;
}

/** The counts of a line whose status is one of those asked for. */
const OF_STATUSES = sql.join(
  STATUSES.map(
    (status) =>
      sql`case when ${sql.raw(`'${status}'`)} = any(${parameter('statuses')}::text[]) then greatest(${verificationCounts[status]}, 0) else 0 end`,
  ),
  sql` + `,
);

/** Whole days from their counts, and the parts of days at both ends one by one. */
const COUNTED_BY_DAY = sql`
  (select coalesce(sum(${OF_STATUSES}), 0) from ${verificationCounts}
   where ${verificationCounts.clientId} = ${parameter('clientId')}
     and ${verificationCounts.type} = any(${parameter('types')}::text[])
     and ${verificationCounts.day} >= ${parameter('firstDay')} and ${verificationCounts.day} < ${parameter('endDay')})
  + ${countOneByOne('Part1')} + ${countOneByOne('Part2')}`;
