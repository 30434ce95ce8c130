import type { RetentionRepository } from '@countersign/domain/storage';
import { insertInto } from '@countersign/statements';
import { compile } from '../../connection/compiled.ts';
import type { Session } from '../../connection/session.ts';
import { sql } from '../../drizzle.ts';
import { erasureLogs } from '../../retention-tables.ts';

/** The table has one row. */
const THE_ROW = 1;

export function createErasureLogs({
  connection,
  read,
  write,
}: Session): Pick<RetentionRepository, 'erasureLogId' | 'setErasureLogId'> {
  const stored = compile(connection, sql`select ${erasureLogs.logId} from ${erasureLogs}`);
  const insert = compile(connection, insertInto(erasureLogs));
  const logId = () => stored.get()?.[0] as string | undefined;

  return {
    erasureLogId: () => read(() => logId() ?? null),

    setErasureLogId: (id) =>
      write(() => {
        const before = logId();
        if (before === undefined) insert.run({ id: THE_ROW, logId: id });
        return { keep: before === undefined, value: before ?? id };
      }),
  };
}
