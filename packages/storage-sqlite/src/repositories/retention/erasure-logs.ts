import type { RetentionRepository } from '@countersign/domain/storage';
import { prepared } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { erasureLogs } from '../../retention-tables.ts';

/** The table has one row. */
const THE_ROW = 1;

export function createErasureLogs({
  db,
  read,
  write,
}: Session): Pick<RetentionRepository, 'erasureLogId' | 'setErasureLogId'> {
  const stored = prepared(db.select().from(erasureLogs));

  return {
    erasureLogId: () => read(() => stored.get()?.logId ?? null),

    setErasureLogId: (id) =>
      write(() => {
        const before = stored.get()?.logId;
        if (before === undefined) db.insert(erasureLogs).values({ id: THE_ROW, logId: id }).run();
        return { keep: before === undefined, value: before ?? id };
      }),
  };
}
