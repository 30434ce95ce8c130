import type { VerificationRepository } from '@countersign/domain';
import type { Session } from '../connection/session.ts';
import { columnNames, parameter, statementOf } from '../connection/statement.ts';
import { getTableColumns, sql } from '../drizzle.ts';
import { toEventRow } from '../rows/event-row.ts';
import { columnsFromJson, rowsFromJson } from '../rows/json-rows.ts';
import { areIds } from '../rows/values.ts';
import { toVerificationRow } from '../rows/verification-row.ts';
import { verificationEvents, verifications } from '../schema/index.ts';

// The data key is changed by nothing but its own repository.
const { clientId, id, dataKey: _, dataKeyWrappedBy: __, ...replaced } = getTableColumns(verifications);

const SET = sql.join(
  Object.entries(replaced).map(([key, column]) => sql`${sql.identifier(column.name)} = ${parameter(key)}`),
  sql`, `,
);

/** Guarded by the version; the events come from the replaced row, and so only with it. */
const COMMIT = statementOf(sql`
  with replaced as (
    update ${verifications} set ${SET}
    where ${clientId} = ${parameter('clientId')} and ${id} = ${parameter('id')}
      and ${verifications.version} = ${parameter('expectedVersion')}
    returning ${id}
  ), appended as (
    insert into ${verificationEvents} (${columnNames(verificationEvents)})
    select ${columnsFromJson(verificationEvents, 'event')} from replaced, ${rowsFromJson(verificationEvents, 'event')}
  )
  select count(*)::integer from replaced`);

export function createCommit({ write }: Session): VerificationRepository['commit'] {
  return async ({ record, expectedVersion, events }) => {
    if (!areIds(record.clientId, record.id)) return { outcome: 'conflict' };
    const rows = events.map((event) => ({ ...toEventRow(event), data: event.data }));
    const values = { ...toVerificationRow(record), expectedVersion, event: JSON.stringify(rows) };
    const [row] = await write(COMMIT, values);
    return { outcome: row?.[0] === 1 ? 'committed' : 'conflict' };
  };
}
