import type { VerificationPlace } from '@countersign/domain/storage';
import { parameter, prepared } from '../connection/compiled.ts';
import type { Session } from '../connection/session.ts';
import { and, eq, isNull } from '../drizzle.ts';
import { verifications } from '../schema.ts';

/**
 * Creates a function that says whether a client has a verification whose erasure has not begun. Call it inside the write that
 * depends on the answer.
 */
export function createHoldsData({ db }: Session): (place: VerificationPlace) => boolean {
  const held = prepared(
    db
      .select({ id: verifications.id })
      .from(verifications)
      .where(
        and(
          eq(verifications.id, parameter('verificationId')),
          eq(verifications.clientId, parameter('clientId')),
          isNull(verifications.erasedAt),
        ),
      ),
  );
  return ({ clientId, verificationId }) => held.get({ clientId, verificationId }) !== undefined;
}
