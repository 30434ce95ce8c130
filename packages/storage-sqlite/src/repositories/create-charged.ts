import {
  ACTIVE_STATUSES,
  type CreateOutcome,
  type VerificationRecord,
  type VerificationRepository,
} from '@countersign/domain';
import { compile } from '../connection/compiled.ts';
import { violatedConstraint } from '../connection/constraints.ts';
import { columnParameters, parameter } from '../connection/parameters.ts';
import type { Session } from '../connection/session.ts';
import { and, eq, isNull, sql } from '../drizzle.ts';
import { known, parseRow } from '../rows/parse-row.ts';
import { toVerificationRow } from '../rows/verification-row.ts';
import { usage, verifications } from '../schema/index.ts';
import type { VerificationEvents } from './verification-events.ts';
import type { VerificationRecords } from './verification-records.ts';

/**
 * Inserts, charges and appends, and lets the constraints decide. What stands in the way is looked up only once one
 * of them is violated, inside the same transaction.
 */
export function chargedCreation(
  { db, write, connection }: Session,
  { records, events }: { records: VerificationRecords; events: VerificationEvents },
): VerificationRepository['createCharged'] {
  const insert = compile(connection, db.insert(verifications).values(columnParameters(verifications)));
  const charge = compile(
    connection,
    db
      .insert(usage)
      .values({ ...columnParameters(usage), used: 1 })
      .onConflictDoUpdate({
        target: [usage.clientId, usage.month],
        set: { used: sql`${usage.used} + 1`, allowance: sql`excluded.allowance` },
      }),
  );
  const activeOfSubject = db
    .select({ id: verifications.id, status: verifications.status })
    .from(verifications)
    .where(
      and(
        eq(verifications.clientId, parameter('clientId')),
        eq(verifications.subjectReference, parameter('subjectReference')),
        isNull(verifications.resolvedAt),
      ),
    )
    .prepare();

  /** Null where nothing is: then the error is a fault. */
  function obstacle(error: unknown, record: VerificationRecord): CreateOutcome | null {
    const violated = violatedConstraint(error);
    if (violated === 'allowance') return { outcome: 'limit_reached' };
    if (violated !== 'idempotencyKey' && violated !== 'oneActiveVerification') return null;
    return usedKey(record) ?? duplicate(record);
  }

  function usedKey({ clientId, idempotencyKey }: VerificationRecord): CreateOutcome | null {
    if (idempotencyKey === null) return null;
    const earlier = records.findByIdempotencyKey(clientId, idempotencyKey);
    return earlier === null ? null : { outcome: 'key_used', record: earlier };
  }

  function duplicate({ clientId, subjectReference }: VerificationRecord): CreateOutcome | null {
    const row = activeOfSubject.get({ clientId, subjectReference });
    if (row === undefined) return null;
    const status = parseRow('verification', row.id, () => known('status', ACTIVE_STATUSES, row.status));
    return { outcome: 'duplicate', verificationId: row.id, status };
  }

  return async ({ record, event, month, allowance }) => {
    const row = toVerificationRow(record);
    return write<CreateOutcome>(() => {
      try {
        insert.run(row);
        charge.run({ clientId: record.clientId, month, allowance });
      } catch (error) {
        const value = obstacle(error, record);
        if (value === null) throw error;
        return { keep: false, value };
      }
      events.append(event);
      return { keep: true, value: { outcome: 'created' } };
    });
  };
}
