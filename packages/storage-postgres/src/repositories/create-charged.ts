import { ACTIVE_STATUSES, type CreateOutcome, type VerificationRepository } from '@countersign/domain';
import { unavailable, violatedConstraint } from '../connection/faults.ts';
import type { Run, Session } from '../connection/session.ts';
import { columnNames, columnParameters, parameter, statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { toEventRow } from '../rows/event-row.ts';
import { known, parseRow, text } from '../rows/parse-row.ts';
import { fromVerificationRow, toVerificationRow } from '../rows/verification-row.ts';
import { oneOf } from '../schema/columns.ts';
import { usage, verificationEvents, verifications } from '../schema/index.ts';
import { BY_IDEMPOTENCY_KEY } from './verification-statements.ts';

/**
 * The verification first, then its event and its charge from the inserted row: what two creations for one subject, or
 * with one key, contend for is decided before anything is charged, and the usage row is locked for the shortest time.
 */
const ADMIT = statementOf(sql`
  with inserted as (
    insert into ${verifications} (${columnNames(verifications)}) values (${columnParameters(verifications)})
    returning ${verifications.clientId}
  ), charged as (
    insert into ${usage} (${columnNames(usage)})
    select client_id, ${parameter('month')}, 1, ${parameter('allowance')}::integer from inserted
    on conflict (client_id, month) do update set used = ${usage}.used + 1, allowance = excluded.allowance
  )
  insert into ${verificationEvents} (${columnNames(verificationEvents)})
  select ${columnParameters(verificationEvents, 'event.')} from inserted`);

const ACTIVE_OF_SUBJECT = statementOf(sql`
  select ${verifications.id}, ${verifications.status} from ${verifications}
  where ${verifications.clientId} = ${parameter('clientId')}
    and ${verifications.subjectReference} = ${parameter('subjectReference')}
    and ${oneOf(verifications.status, ACTIVE_STATUSES)}`);

/** Of several that are violated, the first in the order of the indexes is told: any of them may hide another. */
const UNIQUE = ['verifications_pk', 'verifications_one_active', 'verifications_idempotency_key'];

/** What stood in the way may be gone when it is looked for; then it is tried again, so often at most. */
const ATTEMPTS = 5;

/** Inserts, charges and appends in one statement, and lets the constraints decide. */
export function chargedCreation({ operation }: Session): VerificationRepository['createCharged'] {
  return ({ record, event, month, allowance }) =>
    operation(async ({ read, write }) => {
      const values: Record<string, string | number | boolean | null> = {
        ...toVerificationRow(record),
        month,
        allowance,
      };
      for (const [key, value] of Object.entries(toEventRow(event))) values[`event.${key}`] = value;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        try {
          await write(ADMIT, values);
          return { outcome: 'created' };
        } catch (error) {
          const violated = violatedConstraint(error);
          if (violated === 'usage_within_allowance') return { outcome: 'limit_reached' };
          if (!UNIQUE.includes(violated ?? '')) throw error;
          const obstacle = (await usedKey(read, record)) ?? (await duplicate(read, record));
          if (obstacle !== null) return obstacle;
          if (violated === 'verifications_pk') throw error;
        }
      }
      throw unavailable('What stands in the way of the verification keeps changing');
    });
}

async function usedKey(
  read: Run,
  { clientId, idempotencyKey }: { clientId: string; idempotencyKey: string | null },
): Promise<CreateOutcome | null> {
  if (idempotencyKey === null) return null;
  const [row] = await read(BY_IDEMPOTENCY_KEY, { clientId, idempotencyKey });
  return row === undefined ? null : { outcome: 'key_used', record: fromVerificationRow(row) };
}

async function duplicate(
  read: Run,
  { clientId, subjectReference }: { clientId: string; subjectReference: string },
): Promise<CreateOutcome | null> {
  const [row] = await read(ACTIVE_OF_SUBJECT, { clientId, subjectReference });
  if (row === undefined) return null;
  return parseRow('verification', row[0], () => ({
    outcome: 'duplicate',
    verificationId: text('id', row[0]),
    status: known('status', ACTIVE_STATUSES, row[1]),
  }));
}
