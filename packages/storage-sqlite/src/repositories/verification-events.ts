import type { VerificationEvent } from '@countersign/domain';
import { LATER_STATUS_EVENT_TYPES } from '@countersign/domain/storage';
import { insertInto } from '@countersign/statements';
import type { SQL } from 'drizzle-orm';
import { type Compiled, compile, compileRows, fieldsOf, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { oneOf, sql } from '../drizzle.ts';
import { verificationEvents } from '../schema.ts';
import { eventRows } from '../tables/rows.ts';

const NO_DATA = '{}';

/** Events as the verifications they belong to write and read them. All run inside the caller's transaction. */
export interface VerificationEvents {
  append(event: VerificationEvent): void;
  remove(verificationId: string, version: number): void;
  /** Those that changed the status, in the order of their versions. */
  historyOf(verificationId: string): VerificationEvent[];
  /** In the order of their versions. */
  latestOf(verificationId: string, limit: number): VerificationEvent[];
  /** All in the order of their versions, each with `data` as `{}`. */
  allWithoutData(verificationId: string): VerificationEvent[];
  /** Makes the `data` of all events `{}`. */
  removeData(verificationId: string): void;
}

export function createVerificationEvents({ connection }: Session): VerificationEvents {
  const events = verificationEvents;
  const ofVerification = sql`${events.verificationId} = ${parameter('verificationId')}`;
  const select = (rest: SQL): Compiled<typeof events.$inferSelect> =>
    compileRows(connection, sql`select ${fieldsOf(events)} from ${events} where ${ofVerification} ${rest}`);

  const insert = compile(connection, insertInto(events));
  const creation = select(sql`and ${events.version} = 1`);
  const later = select(sql`and ${oneOf(events.type, LATER_STATUS_EVENT_TYPES)} order by ${events.version}`);
  const latest = select(sql`order by ${events.version} desc, ${events.id} desc limit ${sql.placeholder('limit')}`);
  const all = select(sql`order by ${events.version}, ${events.id}`);
  const remove = compile(
    connection,
    sql`delete from ${events} where ${ofVerification} and ${events.version} = ${parameter('version')}`,
  );
  const removeData = compile(connection, sql`update ${events} set data = ${NO_DATA} where ${ofVerification}`);

  return {
    append(event) {
      insert.run(eventRows.toRow(event));
    },
    remove(verificationId, version) {
      remove.run({ verificationId, version });
    },
    historyOf: (verificationId) =>
      [...creation.all({ verificationId }), ...later.all({ verificationId })].map(eventRows.fromRow),
    latestOf: (verificationId, limit) => latest.all({ verificationId, limit }).map(eventRows.fromRow).reverse(),
    allWithoutData: (verificationId) =>
      all.all({ verificationId }).map((row) => eventRows.fromRow({ ...row, data: NO_DATA })),
    removeData(verificationId) {
      removeData.run({ verificationId });
    },
  };
}
