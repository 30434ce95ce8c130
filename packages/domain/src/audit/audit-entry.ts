import type { JsonObject } from '../input/json.ts';

/** The id of an action: its area and what it does, such as `api_keys.create`. */
export type AuditAction = `${string}.${string}`;

/** The action of the entry that the log has of each erasure: its receipt. */
export const DATA_ERASED_ACTION: AuditAction = 'verifications.data_erased';

/** A request that an API key's networks refused. */
export const USE_KEY_ACTION: AuditAction = 'api_keys.use';

/** The actions that users and API keys share. */
export const ERASE_ACTION: AuditAction = 'retention.erase';
export const END_RELATIONSHIP_ACTION: AuditAction = 'retention.end_relationship';
export const READ_FILE_ACTION: AuditAction = 'verifications.read_file';

const AUDIT_ACTION = /^[a-z_]{1,30}\.[a-z_]{1,30}$/;

/** Whether a value has the form of an action. */
export function isAuditAction(value: unknown): value is AuditAction {
  return typeof value === 'string' && AUDIT_ACTION.test(value);
}

/** Parses the action of a stored entry. @throws Error if it does not have the form of an action */
export function parseAuditAction(value: unknown): AuditAction {
  if (isAuditAction(value)) return value;
  throw new Error('unknown action');
}

/**
 * `allowed`: the caller had the right, and the action ran next. `refused`: the caller had no right, or a rule refused the
 * action; nothing changed. `failed`: a fault of the service; it is unknown whether anything changed.
 *
 * An action gets its `allowed` entry before it runs, and `account.sign_in` before the session's cookies are sent. A second
 * entry, whose `detail.of` is the sequence of the first, says that a rule `refused` the action, that it `failed`, or names
 * what it made as the target (`allowed`). An entry with `detail.count` is a summary of that many attempts (refusal-log.ts).
 */
export const AUDIT_OUTCOMES = ['allowed', 'refused', 'failed'] as const;
/** How a recorded action ended: `refused` for lack of a right or by a rule, `failed` by a fault. */
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Kinds of actors in the audit log. `anonymous`: not signed in, such as a failed sign-in. `system`: a background job or a command. */
export const AUDIT_ACTOR_KINDS = [
  'team_member',
  'reviewer',
  'operator',
  'anonymous',
  'api_key',
  'system',
] as const;

/**
 * The caller: a user or an API key with its id, the command line as `operator` without an id, `anonymous`, or `system`, which is a
 * background job.
 */
export interface AuditActor {
  readonly kind: (typeof AUDIT_ACTOR_KINDS)[number];
  readonly id: string | null;
}

/** The content of an entry before it is part of the chain. It holds no secret and no personal data but `from`. */
export interface AuditFact {
  readonly at: Date;
  readonly actor: AuditActor;
  /**
   * Network address of the caller; null at the command line, for jobs, for downloads of exports, and in a summary of attempts from
   * several addresses.
   */
  readonly from: string | null;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  /** The client that the action is about; null if it is about none. */
  readonly clientId: string | null;
  /** The key, verification, user or client that the action is about; null if there is none yet. */
  readonly targetId: string | null;
  /** Settings and codes, flat: `{ "plan": "standard" }`, `{ "code": "NOT_ALLOWED" }`, `{ "of": 17 }` for the entry it is about. */
  readonly detail: JsonObject;
}

/** An entry of the audit log. It is never changed and never removed. */
export interface AuditEntry extends AuditFact {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** The hash of the entry before; 64 zeros for the first. */
  readonly previousHash: string;
  /** SHA-256 of everything above, as 64 lower-case hexadecimal characters (audit-chain.ts). */
  readonly hash: string;
}
