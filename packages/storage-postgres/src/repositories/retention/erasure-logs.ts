import type { RetentionRepository } from '@countersign/domain/storage';
import type { Session } from '../../connection/session.ts';
import { parameter, statementOf } from '../../connection/statement.ts';
import { sql } from '../../drizzle.ts';
import { parseText } from '../../rows/parse-row.ts';
import { erasureLogs } from '../../schema.ts';

const STORED = statementOf(sql`select ${erasureLogs.logId} from ${erasureLogs}`);

/** An update that changes nothing returns the row that another call has inserted. */
const STORE = statementOf(sql`
  insert into ${erasureLogs} (id, log_id) values (1, ${parameter('logId')})
  on conflict (id) do update set log_id = ${erasureLogs.logId} returning ${erasureLogs.logId}`);

export function createErasureLogs({
  read,
  write,
}: Session): Pick<RetentionRepository, 'erasureLogId' | 'setErasureLogId'> {
  return {
    async erasureLogId() {
      const [row] = await read(STORED, {});
      return row === undefined ? null : parseText('log_id', row[0]);
    },

    async setErasureLogId(id) {
      const [row] = await write(STORE, { logId: id });
      return parseText('log_id', row?.[0]);
    },
  };
}
