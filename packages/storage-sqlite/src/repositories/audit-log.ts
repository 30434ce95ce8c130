import type { AuditEntry } from '@countersign/domain';
import type { AuditHead, AuditLog, AuditQuery } from '@countersign/domain/storage';
import { createShapes, every, insertInto } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { type Compiled, compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import { type Connection, violatedConstraint } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { auditEntries } from '../schema.ts';
import { auditRows } from '../tables/rows.ts';
import type { RunLongRead } from './long-read-kinds.ts';

type Append = Awaited<ReturnType<AuditLog['append']>>;

/** That an entry follows the last one is asked by a trigger of the table, and that it stays by others. */
export function createAuditLog(session: Session, runApart: RunLongRead): AuditLog {
  const { connection, read, readPage, readApart, write } = session;
  const page = createAuditPage(session);
  const insert = compile(connection, insertInto(auditEntries));
  const last = compileRows<AuditHead>(
    connection,
    sql`select sequence, hash from ${auditEntries} order by sequence desc limit 1`,
  );
  const following = entriesWhere(
    connection,
    sql`${auditEntries.sequence} > ${parameter('after')} order by ${auditEntries.sequence} limit ${LIMIT}`,
  );
  const head = () => last.get() ?? null;
  /** The head without the entries that are undone: if the first was inserted, it follows the head. */
  const headBefore = ([first]: readonly AuditEntry[], inserted: number): AuditHead | null => {
    if (inserted === 0 || first === undefined) return head();
    return first.sequence === 1 ? null : { sequence: first.sequence - 1, hash: first.previousHash };
  };

  return {
    async append(...entries) {
      const rows = entries.map((entry) => auditRows.toRow(entry));
      return write<Append>(() => {
        let inserted = 0;
        try {
          for (const row of rows) {
            insert.run(row);
            inserted += 1;
          }
          return { keep: true, value: { outcome: 'appended' } };
        } catch (error) {
          if (violatedConstraint(error) !== 'nextAuditEntry') throw error;
          return { keep: false, value: { outcome: 'not_next', head: headBefore(entries, inserted) } };
        }
      });
    },

    head: () => read(head),

    // Entries that match only the first of several filters are looked up and skipped; those of a range of time are sorted.
    list: (query) =>
      filtersOf(query).length > 1 || isOfTime(query)
        ? readApart(() => runApart('auditPage', query))
        : readPage(() => page(query)),

    read: (after, limit) => readPage(() => following.all({ after, limit }).map(auditRows.fromRow)),
  };
}

const LIMIT = sql.placeholder('limit');

/** Filters, the most selective first. */
const FILTERS = ['actorId', 'clientId', 'action', 'outcome'] as const;

/** Returns the names of the filters that a query sets, the most selective first. */
function filtersOf(query: AuditQuery): (typeof FILTERS)[number][] {
  return FILTERS.filter((name) => query[name] !== undefined);
}

/** Whether a query has a filter by time. */
function isOfTime({ appendedFrom, appendedUntil }: AuditQuery): boolean {
  return appendedFrom !== undefined || appendedUntil !== undefined;
}

/** Creates a function that reads a page, with a statement for each set of filters (128 at most). */
export function createAuditPage({ connection }: Pick<Session, 'connection'>): (query: AuditQuery) => AuditEntry[] {
  const statements = createShapes<ReturnType<typeof entriesWhere>>();
  return ({ appendedFrom, appendedUntil, ...query }) => {
    const whole = { ...query, appendedFrom, appendedUntil };
    const set = [...filtersOf(whole), ...(['appendedFrom', 'appendedUntil', 'before'] as const)];
    const shape = set.filter((name) => whole[name] !== undefined).join();
    const statement = statements(shape, () => entriesWhere(connection, matching(whole)));
    const times = { appendedFrom: appendedFrom?.getTime(), appendedUntil: appendedUntil?.getTime() };
    return statement.all({ ...query, ...times }).map(auditRows.fromRow);
  };
}

function entriesWhere(connection: Connection, rest: SQL): Compiled<typeof auditEntries.$inferSelect> {
  return compileRows(connection, sql`select ${fieldsOf(auditEntries)} from ${auditEntries} where ${rest}`);
}

function matching(query: AuditQuery): SQL {
  return sql`${every([sql`true`, ...conditions(query)])} order by ${auditEntries.sequence} desc limit ${LIMIT}`;
}

/**
 * The index of the first filter is read in the order of the list. Whether an entry matches the others is asked of their
 * indexes, which costs a fraction of reading the entry: filters that no entry matches together are compared with every
 * entry of the first one.
 */
function conditions(query: AuditQuery): SQL[] {
  if (isOfTime(query)) return [sql`${auditEntries.sequence} in (${ofTime(query)})`];
  const filters = filtersOf(query).map((name, index) =>
    index === 0 ? sql`${auditEntries[name]} = ${parameter(name)}` : isIn(name, sql`${auditEntries.sequence}`),
  );
  return query.before === undefined
    ? filters
    : [...filters, sql`${auditEntries.sequence} < ${parameter('before')}`];
}

/** Selects the sequences of a page in a range of time. All of the range are sorted, of which only indexes are read. */
function ofTime(query: AuditQuery): SQL {
  const at = sql`timed.${sql.identifier(auditEntries.at.name)}`;
  const sequence = sql`timed.${sql.identifier(auditEntries.sequence.name)}`;
  const matching = filtersOf(query).map((name) => isIn(name, sequence));
  if (query.appendedFrom !== undefined) matching.push(sql`${at} >= ${parameter('appendedFrom')}`);
  if (query.appendedUntil !== undefined) matching.push(sql`${at} < ${parameter('appendedUntil')}`);
  if (query.before !== undefined) matching.push(sql`${sequence} < ${parameter('before')}`);
  return sql`
    select ${sequence} from ${auditEntries} as timed indexed by audit_entries_at where ${every(matching)}
    order by ${sequence} desc limit ${LIMIT}`;
}

const INDEXES: Readonly<Record<(typeof FILTERS)[number], SQL>> = {
  actorId: sql`audit_entries_actor`,
  clientId: sql`audit_entries_client`,
  action: sql`audit_entries_action`,
  outcome: sql`audit_entries_outcome`,
};

/** Matches an entry, by its sequence, that the index of a filter has for its value. */
function isIn(name: (typeof FILTERS)[number], sequence: SQL): SQL {
  const [column, key] = [auditEntries[name], auditEntries.sequence];
  return sql`exists (
    select 1 from ${auditEntries} as other indexed by ${INDEXES[name]}
    where other.${sql.identifier(column.name)} = ${parameter(name)} and other.${sql.identifier(key.name)} = ${sequence})`;
}
