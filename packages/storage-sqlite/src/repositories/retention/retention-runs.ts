import type { RetentionRepository } from '@countersign/domain';
import { prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { retentionRuns } from '../../retention-tables.ts';
import { parseDate, parseDateOrNull } from '../../rows/parse-row.ts';

/** The table has one row. */
const THE_ROW = 1;

export function createBeginRun({ db, write }: Session): RetentionRepository['beginRun'] {
  const stored = prepared(db.select().from(retentionRuns));

  return ({ now, expectedFrom, expectedUntil, pauseUntil }) =>
    write(() => {
      const row = stored.get();
      const lastRunAt = row === undefined ? null : parseDate('last_run_at', row.lastRunAt);
      const hasJumped = lastRunAt !== null && (lastRunAt < expectedFrom || lastRunAt > expectedUntil);
      const before = parseDateOrNull('paused_until', row?.pausedUntil ?? null);
      const pausedUntil = hasJumped || (before !== null && before > pauseUntil) ? pauseUntil : before;
      const columns = { lastRunAt: now.getTime(), pausedUntil: pausedUntil?.getTime() ?? null };
      db.insert(retentionRuns)
        .values({ id: THE_ROW, ...columns })
        .onConflictDoUpdate({ target: retentionRuns.id, set: columns })
        .run();
      return { keep: true, value: { lastRunAt, pausedUntil } };
    });
}
