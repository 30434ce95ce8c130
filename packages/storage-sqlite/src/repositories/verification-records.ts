import type { VerificationRecord } from '@countersign/domain';
import { type Columns, compile } from '../connection/compiled.ts';
import { parameter } from '../connection/parameters.ts';
import type { Session } from '../connection/session.ts';
import { and, eq } from '../drizzle.ts';
import { fromVerificationRow } from '../rows/verification-row.ts';
import { verifications } from '../schema/index.ts';

/** The ways to one verification, prepared once; each gives null where there is none. */
export interface VerificationRecords {
  find(clientId: string, id: string): VerificationRecord | null;
  findForAnyClient(id: string): VerificationRecord | null;
  findByIdempotencyKey(clientId: string, idempotencyKey: string): VerificationRecord | null;
}

export function createVerificationRecords({ db, connection }: Session): VerificationRecords {
  const withId = eq(verifications.id, parameter('id'));
  const ofClient = eq(verifications.clientId, parameter('clientId'));
  const withKey = eq(verifications.idempotencyKey, parameter('idempotencyKey'));

  const byId = compile(connection, db.select().from(verifications).where(and(withId, ofClient)));
  const byIdAlone = compile(connection, db.select().from(verifications).where(withId));
  const byIdempotencyKey = compile(connection, db.select().from(verifications).where(and(ofClient, withKey)));

  return {
    find: (clientId, id) => recordOf(byId.get({ clientId, id })),
    findForAnyClient: (id) => recordOf(byIdAlone.get({ id })),
    findByIdempotencyKey: (clientId, idempotencyKey) =>
      recordOf(byIdempotencyKey.get({ clientId, idempotencyKey })),
  };
}

function recordOf(columns: Columns | undefined): VerificationRecord | null {
  return columns === undefined ? null : fromVerificationRow(columns);
}
