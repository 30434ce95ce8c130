import type { AuditLog, AuditQuery } from '@countersign/domain';
import type { SQL } from 'drizzle-orm';
import { columnParameters, parameter } from '../connection/compiled.ts';
import { violatedConstraint } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, desc, gt, lt, sql } from '../drizzle.ts';
import { fromAuditRow, toAuditRow } from '../rows/rows.ts';
import { auditEntries } from '../schema.ts';

type Append = Awaited<ReturnType<AuditLog['append']>>;

/** That a line follows the last one is asked by a trigger of the table, and that it stays by others. */
export function createAuditLog(session: Session): AuditLog {
  const { db, read, readPage, write } = session;
  const insert = db.insert(auditEntries).values(columnParameters(auditEntries)).prepare();
  const last = db
    .select({ sequence: auditEntries.sequence, hash: auditEntries.hash })
    .from(auditEntries)
    .orderBy(desc(auditEntries.sequence))
    .limit(1)
    .prepare();
  const following = db
    .select()
    .from(auditEntries)
    .where(gt(auditEntries.sequence, parameter('after')))
    .orderBy(asc(auditEntries.sequence))
    .limit(LIMIT)
    .prepare();
  const head = () => last.get() ?? null;

  return {
    async append(entry) {
      const row = toAuditRow(entry);
      return write<Append>(() => {
        try {
          insert.run(row);
          return { keep: true, value: { outcome: 'appended' } };
        } catch (error) {
          if (violatedConstraint(error) !== 'nextAuditEntry') throw error;
          return { keep: false, value: { outcome: 'not_next', head: head() } };
        }
      });
    },

    head: () => read(head),

    list: createList(session),

    read: (after, limit) => readPage(() => following.all({ after, limit }).map(fromAuditRow)),
  };
}

const LIMIT = sql.placeholder('limit');

/** Filters, the most selective first. */
const FILTERS = ['actorId', 'clientId', 'action', 'outcome'] as const;

/** A statement for each set of filters (32 at most), prepared when it is first asked for. */
function createList({ db, readPage }: Session): AuditLog['list'] {
  const prepared = new Map<string, ReturnType<typeof prepare>>();

  function prepare(query: AuditQuery) {
    return db
      .select()
      .from(auditEntries)
      .where(and(...conditions(query)))
      .orderBy(desc(auditEntries.sequence))
      .limit(LIMIT)
      .prepare();
  }

  return (query) =>
    readPage(() => {
      const shape = [...FILTERS, 'before' as const].filter((name) => query[name] !== undefined).join();
      const statement = prepared.get(shape) ?? prepare(query);
      prepared.set(shape, statement);
      return statement.all({ ...query }).map(fromAuditRow);
    });
}

/** The first filter alone is looked up: its index is read in the order of the list. A plus keeps the others out of it. */
function conditions(query: AuditQuery): SQL[] {
  const filters = FILTERS.filter((name) => query[name] !== undefined).map((name, index) => {
    const column = auditEntries[name];
    return sql`${index === 0 ? column : sql`+${column}`} = ${parameter(name)}`;
  });
  return query.before === undefined ? filters : [...filters, lt(auditEntries.sequence, parameter('before'))];
}
