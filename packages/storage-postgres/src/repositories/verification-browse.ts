import type { BrowseQuery, VerificationRepository } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf, type Value } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, isStorable, momentText, parseInteger } from '../rows/parse-row.ts';
import { listedVerification } from '../rows/verification-row.ts';
import { verifications } from '../schema/index.ts';

const { requestedAt, id, subjectReference } = verifications;

/** What may be asked for, by the name of its parameter. A prefix is a range, which an index helps whatever the plan. */
const CONDITIONS = {
  status: sql`${verifications.status} = ${parameter('status')}`,
  type: sql`${verifications.type} = ${parameter('type')}`,
  prefix: sql`${subjectReference} >= ${parameter('prefix')}`,
  beyondPrefix: sql`${subjectReference} < ${parameter('beyondPrefix')}`,
  from: sql`${requestedAt} >= ${parameter('from')}`,
  until: sql`${requestedAt} < ${parameter('until')}`,
} as const;
type Name = keyof typeof CONDITIONS;

const OF_CLIENT = sql`${verifications.clientId} = ${parameter('clientId')}`;
const AFTER = sql`(${requestedAt}, ${id}) < (${parameter('afterAt')}, ${parameter('afterId')})`;
const ORDER = sql`${requestedAt} desc, ${id} desc`;

// Lists for people need neither, and they are most of a row.
const EMPTY = sql`'{}'::jsonb`;
export const WITHOUT_DOCUMENTS: SQL = columnsOf(verifications, { answers: EMPTY, reviewData: EMPTY });

/** One statement for the page and the count, made at the first query of its shape (192 at most). */
export function createBrowse({ read }: Session): VerificationRepository['browse'] {
  const statements = new Map<string, Statement>();

  return async (clientId, query) => {
    const { subjectReferencePrefix = '', after, limit, withoutTotal = false } = query;
    if (!areIds(clientId) || (after !== undefined && !areIds(after.id)) || !isStorable(subjectReferencePrefix)) {
      return { records: [], totalCount: 0 };
    }
    const filters = filtersOf(query);
    const kind = { isAfter: after !== undefined, withoutTotal };
    const shape = JSON.stringify([Object.keys(filters), kind]);
    const statement = statements.get(shape) ?? statementFor(Object.keys(filters) as Name[], kind);
    statements.set(shape, statement);
    const position = after === undefined ? {} : { afterAt: momentText(after.requestedAt), afterId: after.id };
    const rows = await read(statement, { ...filters, ...position, clientId, limit });
    const [first] = rows;
    // The count comes with each row of the page, after its columns; a page without any has one row of nulls.
    return {
      records: first === undefined || first[1] === null ? [] : rows.map(listedVerification),
      totalCount: parseInteger('count', Number(first?.at(-1))),
    };
  };
}

/** The values of those filters that are in use. */
function filtersOf(query: BrowseQuery): Partial<Record<Name, Value>> {
  const { status, type, subjectReferencePrefix: prefix = '', requestedFrom, requestedUntil } = query;
  const beyondPrefix = firstTextBeyond(prefix);
  return {
    ...(status !== undefined && { status }),
    ...(type !== undefined && { type }),
    ...(prefix !== '' && { prefix }),
    ...(beyondPrefix !== null && { beyondPrefix }),
    ...(requestedFrom !== undefined && { from: momentText(requestedFrom) }),
    ...(requestedUntil !== undefined && { until: momentText(requestedUntil) }),
  };
}

function statementFor(
  names: readonly Name[],
  { isAfter, withoutTotal }: { readonly isAfter: boolean; readonly withoutTotal: boolean },
): Statement {
  const matching: SQL = sql.join([OF_CLIENT, ...names.map((name) => CONDITIONS[name])], sql` and `);
  const total = withoutTotal
    ? sql`select 0 as count`
    : sql`select count(*) from ${verifications} where ${matching}`;
  // The name of the table stands for its page, so that columns are called the same within and without.
  return statementOf(sql`
    select ${WITHOUT_DOCUMENTS}, total.count
    from (${total}) as total
    left join (
      select * from ${verifications} where ${isAfter ? sql`${matching} and ${AFTER}` : matching}
      order by ${ORDER} limit ${parameter('limit')}
    ) as ${verifications} on true
    order by ${ORDER}`);
}

const LAST = 0x10ffff;
const BEFORE_SURROGATES = 0xd7ff;
const AFTER_SURROGATES = 0xe000;

/**
 * Returns the first text, by code point, behind all texts that begin with the prefix, or null if there is none. The two are the
 * bounds of a range in which no character is a wildcard.
 */
export function firstTextBeyond(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  const last = points.findLastIndex((point) => point !== LAST);
  const point = points[last];
  if (point === undefined) return null;
  const next = point === BEFORE_SURROGATES ? AFTER_SURROGATES : point + 1;
  return String.fromCodePoint(...points.slice(0, last), next);
}
