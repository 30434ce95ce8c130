import type { AuditHead, AuditLog } from '@countersign/domain';
import { violatedConstraint } from '../connection/faults.ts';
import type { Run, Session } from '../connection/session.ts';
import { columnNames, columnParameters, columnsOf, parameter, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { fromAuditHeadRow, fromAuditRow, toAuditRow } from '../rows/audit-row.ts';
import { auditEntries } from '../schema/index.ts';
import { createListAudit } from './audit-list.ts';

const APPEND = statementOf(sql`
  insert into ${auditEntries} (${columnNames(auditEntries)}) values (${columnParameters(auditEntries)})`);

/** The number is taken, or the line before it is not there, or is another one. */
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

/** The table alone decides which line is next: of several at once, the index of the numbers lets one in. */
export function createAuditLog(session: Session): AuditLog {
  const { read, operation } = session;
  return {
    append: (entry) =>
      operation(async ({ read, write }) => {
        try {
          await write(APPEND, toAuditRow(entry));
          return { outcome: 'appended' };
        } catch (error) {
          if (!NOT_NEXT.includes(violatedConstraint(error) ?? '')) throw error;
          return { outcome: 'not_next', head: await headOf(read) };
        }
      }),

    head: () => headOf(read),

    list: createListAudit(session),

    async read(after, limit) {
      return (await read(READ, { after, limit })).map(fromAuditRow);
    },
  };
}

async function headOf(read: Run): Promise<AuditHead | null> {
  const [row] = await read(HEAD, {});
  return row === undefined ? null : fromAuditHeadRow(row);
}
