import type { AuditLog, AuditQuery } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Session } from '../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { fromAuditRow } from '../rows/audit-row.ts';
import { isStorable } from '../rows/values.ts';
import { auditEntries } from '../schema/index.ts';

const FILTERS = ['actorId', 'clientId', 'action', 'outcome'] as const;
const COLUMNS: Readonly<Record<(typeof FILTERS)[number], PgColumn>> = auditEntries;

/** One statement for each set of filters, made at its first query (32 at most). */
export function createListAudit({ read }: Session): AuditLog['list'] {
  const statements = new Map<string, Statement>();

  return async (query) => {
    const { actorId = null, clientId = null, action = null, outcome = null, before = null, limit } = query;
    if (!isStorable(actorId ?? '') || !isStorable(clientId ?? '')) return [];
    const shape = shapeOf(query);
    const statement = statements.get(shape) ?? statementFor(query);
    statements.set(shape, statement);
    return (await read(statement, { actorId, clientId, action, outcome, before, limit })).map(fromAuditRow);
  };
}

/** What two queries must share to share a statement: the filters in use, not the values. */
function shapeOf(query: AuditQuery): string {
  return [...FILTERS, 'before' as const].filter((filter) => query[filter] !== undefined).join();
}

function statementFor(query: AuditQuery): Statement {
  const conditions: SQL[] = FILTERS.filter((filter) => query[filter] !== undefined).map(
    (filter) => sql`${COLUMNS[filter]} = ${parameter(filter)}`,
  );
  if (query.before !== undefined) conditions.push(sql`${auditEntries.sequence} < ${parameter('before')}`);
  const matching = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  return statementOf(sql`
    select ${columnsOf(auditEntries)} from ${auditEntries} where ${matching}
    order by ${auditEntries.sequence} desc limit ${parameter('limit')}`);
}
