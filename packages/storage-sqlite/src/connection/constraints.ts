import { sqliteCode } from './connection.ts';

/** Constraints whose violation is an expected outcome, and what SQLite says of each. */
const MESSAGES = {
  oneActiveVerification: "UNIQUE constraint failed: index 'verifications_one_active'",
  idempotencyKey: 'UNIQUE constraint failed: verifications.client_id, verifications.idempotency_key',
  allowance: 'CHECK constraint failed: usage_within_allowance',
  keySlot: 'CHECK constraint failed: api_keys_slot_in_range',
  clientId: 'UNIQUE constraint failed: clients.id',
  knownClient: 'FOREIGN KEY constraint failed',
  nextAuditEntry: 'The audit log is a chain: a new entry must follow the last one',
} as const;

export type ConstraintName = keyof typeof MESSAGES;

const NAMES = new Map<string, ConstraintName>(
  Object.entries(MESSAGES).map(([name, message]) => [message, name as ConstraintName]),
);

/** Which of those constraints a statement violated; null for any other error, which is a fault. */
export function violatedConstraint(error: unknown): ConstraintName | null {
  if (!sqliteCode(error).startsWith('SQLITE_CONSTRAINT')) return null;
  return NAMES.get((error as Error).message) ?? null;
}
