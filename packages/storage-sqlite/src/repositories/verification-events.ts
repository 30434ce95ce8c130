import type { VerificationEvent } from '@countersign/domain';
import { LATER_STATUS_EVENT_TYPES } from '@countersign/domain/storage';
import { columnParameters, compile, parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, desc, eq, oneOf, sql } from '../drizzle.ts';
import { fromEventRow, toEventRow } from '../rows/rows.ts';
import { verificationEvents } from '../schema.ts';

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

export function createVerificationEvents({ db, connection }: Session): VerificationEvents {
  const insert = compile(connection, db.insert(verificationEvents).values(columnParameters(verificationEvents)));
  const ofVerification = eq(verificationEvents.verificationId, parameter('verificationId'));
  const remove = prepared(
    db.delete(verificationEvents).where(and(ofVerification, eq(verificationEvents.version, parameter('version')))),
  );
  const creation = prepared(
    db
      .select()
      .from(verificationEvents)
      .where(and(ofVerification, eq(verificationEvents.version, 1))),
  );
  const later = prepared(
    db
      .select()
      .from(verificationEvents)
      .where(and(ofVerification, oneOf(verificationEvents.type, LATER_STATUS_EVENT_TYPES)))
      .orderBy(asc(verificationEvents.version)),
  );
  const latest = prepared(
    db
      .select()
      .from(verificationEvents)
      .where(ofVerification)
      .orderBy(desc(verificationEvents.version), desc(verificationEvents.id))
      .limit(sql.placeholder('limit')),
  );
  const all = prepared(
    db
      .select()
      .from(verificationEvents)
      .where(ofVerification)
      .orderBy(asc(verificationEvents.version), asc(verificationEvents.id)),
  );
  const removeData = prepared(db.update(verificationEvents).set({ data: NO_DATA }).where(ofVerification));

  return {
    append(event) {
      insert.run(toEventRow(event));
    },
    remove(verificationId, version) {
      remove.run({ verificationId, version });
    },
    historyOf: (verificationId) =>
      [...creation.all({ verificationId }), ...later.all({ verificationId })].map(fromEventRow),
    latestOf: (verificationId, limit) => latest.all({ verificationId, limit }).map(fromEventRow).reverse(),
    allWithoutData: (verificationId) =>
      all.all({ verificationId }).map((row) => fromEventRow({ ...row, data: NO_DATA })),
    removeData(verificationId) {
      removeData.run({ verificationId });
    },
  };
}
