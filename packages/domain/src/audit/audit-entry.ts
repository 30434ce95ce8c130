import type { JsonObject } from '../json.ts';

/** What a line is about: an area and what was done there, such as `api_keys.create`. */
export type AuditAction = `${string}.${string}`;

const AUDIT_ACTION = /^[a-z_]{1,30}\.[a-z_]{1,30}$/;

/** Whether a value has the form of an action. */
export function isAuditAction(value: unknown): value is AuditAction {
  return typeof value === 'string' && AUDIT_ACTION.test(value);
}

/** Reads the action of a stored line. @throws Error if no action can be written so */
export function parseAuditAction(value: unknown): AuditAction {
  if (isAuditAction(value)) return value;
  throw new Error('unknown action');
}

/**
 * `allowed`: whoever asked had the right, and the act was carried out next. `refused`: they had no right, or a rule stood
 * in the way; nothing changed. `failed`: a fault of the service; whether anything changed is not known.
 *
 * An act gets its `allowed` line before it is carried out, and `account.sign_in` before its session is given to anybody. A
 * second line with `detail.of`, the sequence of the first, says that it was `refused` by a rule or `failed` then, or names
 * as its target what was made (`allowed`).
 */
export const AUDIT_OUTCOMES = ['allowed', 'refused', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** The caller: a user with their id, the command line as `operator` without an id, or `anonymous` without an id. */
export interface AuditActor {
  readonly kind: 'team_member' | 'reviewer' | 'operator' | 'anonymous';
  readonly id: string | null;
}

/** What a line says, before it has its place in the chain. It holds nothing personal but `from`, and no secret. */
export interface AuditFact {
  readonly at: Date;
  readonly actor: AuditActor;
  /** Network address of whoever asked; null at the command line. */
  readonly from: string | null;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  /** Whose affairs it is about; null where it is about no client. */
  readonly clientId: string | null;
  /** The key, verification, user or client acted upon; null where there is none yet. */
  readonly targetId: string | null;
  /** Settings and codes, flat: `{ "plan": "standard" }`, `{ "code": "NOT_ALLOWED" }`, `{ "of": 17 }` for the line it is about. */
  readonly detail: JsonObject;
}

/** A line of the audit log. Never changed and never removed. */
export interface AuditEntry extends AuditFact {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** The hash of the line before; 64 zeros for the first. */
  readonly previousHash: string;
  /** SHA-256 of everything above, as 64 lower-case hexadecimal characters (audit-chain.ts). */
  readonly hash: string;
}
