import { type AuditHead, type AuditLog, type AuditQuery, parseRow } from '@countersign/domain/storage';
import { createShapes, every } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { violatedConstraint } from '../connection/faults.ts';
import type { Run, Session } from '../connection/session.ts';
import { columnsOf, insertFromJson, parameter, type Statement, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { isStorable, momentText, parseInteger, parseText, type Row } from '../rows/parse-row.ts';
import { auditEntries } from '../schema.ts';
import { auditRows } from '../tables/rows.ts';

const APPEND = statementOf(insertFromJson(auditEntries, 'entry'));

/** Constraints that refuse an entry whose number is taken or whose predecessor is missing or different. */
const NOT_NEXT = [
  'audit_entries_pk',
  'audit_entries_previous_hash',
  'audit_entries_chain',
  'audit_entries_first_follows_nothing',
];

const HEAD = statementOf(sql`
  select ${auditEntries.sequence}, encode(${auditEntries.hash}, 'hex') from ${auditEntries}
  order by ${auditEntries.sequence} desc limit 1`);

const READ = statementOf(sql`
  select ${columnsOf(auditEntries)} from ${auditEntries} where ${auditEntries.sequence} > ${parameter('after')}
  order by ${auditEntries.sequence} limit ${parameter('limit')}`);

/**
 * Appends entries in one statement. The table's constraints decide which entry is next: of several at once, the index on the
 * number accepts one.
 */
export function createAuditLog(session: Session): AuditLog {
  const { read, operation } = session;
  return {
    append: (...entries) =>
      operation(async ({ read, write }) => {
        try {
          const rows = entries.map((entry) => auditRows.toRow(entry));
          await write(APPEND, { entry: JSON.stringify(rows) });
          return { outcome: 'appended' };
        } catch (error) {
          if (!NOT_NEXT.includes(violatedConstraint(error) ?? '')) throw error;
          return { outcome: 'not_next', head: await headOf(read) };
        }
      }),

    head: () => headOf(read),

    list: createListAudit(session),

    async read(after, limit) {
      return (await read(READ, { after, limit })).map(auditRows.fromRow);
    },
  };
}

async function headOf(read: Run): Promise<AuditHead | null> {
  const [row] = await read(HEAD, {});
  return row === undefined ? null : parseHead(row);
}

function parseHead([sequence, hash]: Row): AuditHead {
  return parseRow('audit entry', sequence, () => ({
    sequence: parseInteger('sequence', Number(sequence)),
    hash: parseText('hash', hash),
  }));
}

const FILTERS = ['actorId', 'clientId', 'action', 'outcome'] as const;

/** One statement for each set of filters, made at its first query (128 at most). */
function createListAudit({ read }: Session): AuditLog['list'] {
  const statements = createShapes<Statement>();

  return async (query) => {
    const { actorId = null, clientId = null, action = null, outcome = null, before = null, limit } = query;
    if (!isStorable(actorId ?? '') || !isStorable(clientId ?? '')) return [];
    const statement = statements(shapeOf(query), () => statementFor(query));
    const { appendedFrom: from, appendedUntil: until } = query;
    const times = {
      appendedFrom: from === undefined ? null : momentText(from),
      appendedUntil: until === undefined ? null : momentText(until),
    };
    return (await read(statement, { actorId, clientId, action, outcome, ...times, before, limit })).map(
      auditRows.fromRow,
    );
  };
}

/** Returns the key by which queries share a statement: the filters in use, without values. */
function shapeOf(query: AuditQuery): string {
  return [...FILTERS, 'appendedFrom' as const, 'appendedUntil' as const, 'before' as const]
    .filter((filter) => query[filter] !== undefined)
    .join();
}

function statementFor(query: AuditQuery): Statement {
  const conditions: SQL[] = FILTERS.filter((filter) => query[filter] !== undefined).map(
    (filter) => sql`${auditEntries[filter]} = ${parameter(filter)}`,
  );
  const { at } = auditEntries;
  if (query.appendedFrom !== undefined) conditions.push(sql`${at} >= ${parameter('appendedFrom')}`);
  if (query.appendedUntil !== undefined) conditions.push(sql`${at} < ${parameter('appendedUntil')}`);
  if (query.before !== undefined) conditions.push(sql`${auditEntries.sequence} < ${parameter('before')}`);
  const matching = conditions.length === 0 ? sql`true` : every(conditions);
  return statementOf(sql`
    select ${columnsOf(auditEntries)} from ${auditEntries} where ${matching}
    order by ${auditEntries.sequence} desc limit ${parameter('limit')}`);
}
