import { ACTIVE_STATUSES } from '@countersign/domain';
import { type CreateOutcome, parseEnum, parseRow, type VerificationRecord } from '@countersign/domain/storage';
import type { Run } from '../../connection/session.ts';
import { columnsOf, parameter, type Statement, statementOf } from '../../connection/statement.ts';
import { oneOf, sql } from '../../drizzle.ts';
import { parseText } from '../../rows/parse-row.ts';
import { fromVerificationRow } from '../../rows/rows.ts';
import { verifications } from '../../schema.ts';

/** Finds a client's verification by its `Idempotency-Key`. */
export const BY_IDEMPOTENCY_KEY: Statement = statementOf(sql`
  select ${columnsOf(verifications)} from ${verifications}
  where ${verifications.clientId} = ${parameter('clientId')}
    and ${verifications.idempotencyKey} = ${parameter('idempotencyKey')}`);

const ACTIVE_OF_SUBJECT = statementOf(sql`
  select ${verifications.id}, ${verifications.status} from ${verifications}
  where ${verifications.clientId} = ${parameter('clientId')}
    and ${verifications.subjectReference} = ${parameter('subjectReference')}
    and ${oneOf(verifications.status, ACTIVE_STATUSES)}`);

/** The fields of a verification that another one can have taken. */
export type Claim = Pick<VerificationRecord, 'clientId' | 'idempotencyKey' | 'subjectReference'>;

/** Finds the stored verification that a creation conflicts with; null if there is none (any more). */
export async function conflictOf(read: Run, claim: Claim): Promise<CreateOutcome | null> {
  return (await usedKey(read, claim)) ?? (await duplicate(read, claim));
}

async function usedKey(read: Run, { clientId, idempotencyKey }: Claim): Promise<CreateOutcome | null> {
  if (idempotencyKey === null) return null;
  const [row] = await read(BY_IDEMPOTENCY_KEY, { clientId, idempotencyKey });
  return row === undefined ? null : { outcome: 'key_used', record: fromVerificationRow(row) };
}

async function duplicate(read: Run, { clientId, subjectReference }: Claim): Promise<CreateOutcome | null> {
  const [row] = await read(ACTIVE_OF_SUBJECT, { clientId, subjectReference });
  if (row === undefined) return null;
  return parseRow('verification', row[0], () => ({
    outcome: 'duplicate',
    verificationId: parseText('id', row[0]),
    status: parseEnum('status', ACTIVE_STATUSES, row[1]),
  }));
}
