import type { RetentionRepository } from '@countersign/domain/storage';
import { prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { retentionRuns } from '../../retention-tables.ts';
import { fromRetentionRunRow, toRetentionRunRow } from '../../rows/retention-rows.ts';

type Runs = Pick<RetentionRepository, 'beginRun' | 'lastRun'>;

export function createRuns({ db, read, write }: Session): Runs {
  const stored = prepared(db.select().from(retentionRuns));

  const lastRun: Runs['lastRun'] = () =>
    read(() => {
      const row = stored.get();
      return row === undefined ? null : fromRetentionRunRow(row);
    });

  const beginRun: Runs['beginRun'] = ({ now, expectedFrom, expectedUntil, pauseUntil }) =>
    write(() => {
      const row = stored.get();
      const last = row === undefined ? null : fromRetentionRunRow(row);
      const hasJumped = last !== null && (last.lastRunAt < expectedFrom || last.lastRunAt > expectedUntil);
      const before = last?.pausedUntil ?? null;
      const pausedUntil = hasJumped || (before !== null && before > pauseUntil) ? pauseUntil : before;
      const { id, ...columns } = toRetentionRunRow({ lastRunAt: now, pausedUntil });
      db.insert(retentionRuns)
        .values({ id, ...columns })
        .onConflictDoUpdate({ target: retentionRuns.id, set: columns })
        .run();
      return { keep: true, value: { lastRunAt: last?.lastRunAt ?? null, pausedUntil } };
    });

  return { beginRun, lastRun };
}
