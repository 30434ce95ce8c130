import type { VerificationEvent } from '@countersign/domain';
import { compile } from '../connection/compiled.ts';
import { columnParameters, parameter } from '../connection/parameters.ts';
import type { Session } from '../connection/session.ts';
import { asc, eq } from '../drizzle.ts';
import { fromEventRow, toEventRow } from '../rows/event-row.ts';
import { verificationEvents } from '../schema/index.ts';

/** Events as the verifications they belong to write and read them. Both run inside the caller's transaction. */
export interface VerificationEvents {
  append(event: VerificationEvent): void;
  /** In the order of their versions. */
  of(verificationId: string): VerificationEvent[];
}

export function createVerificationEvents({ db, connection }: Session): VerificationEvents {
  const insert = compile(connection, db.insert(verificationEvents).values(columnParameters(verificationEvents)));
  const history = db
    .select()
    .from(verificationEvents)
    .where(eq(verificationEvents.verificationId, parameter('verificationId')))
    .orderBy(asc(verificationEvents.version), asc(verificationEvents.id))
    .prepare();

  return {
    append(event) {
      insert.run(toEventRow(event));
    },
    of: (verificationId) => history.all({ verificationId }).map(fromEventRow),
  };
}
