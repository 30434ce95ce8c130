import { type BrowseQuery, firstTextAfter, type VerificationRepository } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import type { Session } from '../connection/session.ts';
import { parameter, type Statement, type Value } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { areIds, isStorable, momentText } from '../rows/parse-row.ts';
import { verifications } from '../schema.ts';
import { pageOf, pageStatement, WITHOUT_DOCUMENTS } from './verification-pages.ts';

const { requestedAt, id, subjectReference } = verifications;

/** The filters by parameter name. A prefix is a range, for which every plan can use an index. */
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
    return pageOf(await read(statement, { ...filters, ...position, clientId, limit }));
  };
}

/** Returns the values of the filters in use. */
function filtersOf(query: BrowseQuery): Partial<Record<Name, Value>> {
  const { status, type, subjectReferencePrefix: prefix = '', requestedFrom, requestedUntil } = query;
  const beyondPrefix = firstTextAfter(prefix);
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
  return pageStatement({
    columns: WITHOUT_DOCUMENTS,
    total,
    records: isAfter ? sql`${matching} and ${AFTER}` : matching,
    order: ORDER,
    limit: parameter('limit'),
  });
}
