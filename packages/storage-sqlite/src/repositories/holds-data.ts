import type { VerificationPlace } from '@countersign/domain/storage';
import { compile, parameter } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { sql } from '../drizzle.ts';
import { verifications } from '../schema.ts';

/**
 * Creates a function that says whether a client has a verification whose erasure has not begun. Call it inside the write that
 * depends on the answer.
 */
export function createHoldsData({ connection }: Session): (place: VerificationPlace) => boolean {
  const held = compile(
    connection,
    sql`select 1 from ${verifications} where ${verifications.id} = ${parameter('verificationId')}
      and ${verifications.clientId} = ${parameter('clientId')} and ${verifications.erasedAt} is null`,
  );
  return ({ clientId, verificationId }) => held.get({ clientId, verificationId }) !== undefined;
}
