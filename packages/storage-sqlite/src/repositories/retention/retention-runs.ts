import type { RetentionRepository } from '@countersign/domain/storage';
import { assignments, insertInto } from '@countersign/statements';
import { compile, compileRows, fieldsOf } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { retentionRuns } from '../../retention-tables.ts';
import { retentionRunRows } from '../../tables/rows.ts';

type Runs = Pick<RetentionRepository, 'beginRun' | 'lastRun'>;

export function createRuns({ connection, read, write }: Session): Runs {
  const stored = compileRows<typeof retentionRuns.$inferSelect>(
    connection,
    sql`select ${fieldsOf(retentionRuns)} from ${retentionRuns}`,
  );
  const replace = compile(
    connection,
    sql`${insertInto(retentionRuns)} on conflict (id)
      do update set ${assignments(retentionRuns, ['lastRunAt', 'pausedUntil'])}`,
  );

  const lastRun: Runs['lastRun'] = () =>
    read(() => {
      const row = stored.get();
      return row === undefined ? null : retentionRunRows.fromRow(row);
    });

  const beginRun: Runs['beginRun'] = ({ now, expectedFrom, expectedUntil, pauseUntil }) =>
    write(() => {
      const row = stored.get();
      const last = row === undefined ? null : retentionRunRows.fromRow(row);
      const hasJumped = last !== null && (last.lastRunAt < expectedFrom || last.lastRunAt > expectedUntil);
      const before = last?.pausedUntil ?? null;
      const pausedUntil = hasJumped || (before !== null && before > pauseUntil) ? pauseUntil : before;
      replace.run(retentionRunRows.toRow({ lastRunAt: now, pausedUntil }));
      return { keep: true, value: { lastRunAt: last?.lastRunAt ?? null, pausedUntil } };
    });

  return { beginRun, lastRun };
}
