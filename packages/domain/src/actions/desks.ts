import type { Administration } from '../administration/administration.ts';
import type { AuditAction } from '../audit/audit-entry.ts';
import type { Dashboard } from '../dashboard/dashboard.ts';
import type { JsonObject } from '../json.ts';
import type { Accounts } from '../staff/accounts.ts';
import type { ReadCases } from '../verification/read-cases.ts';
import type { ReviewVerification } from '../verification/review-verification.ts';
import type { AccountDesk } from './account-desk.ts';
import type { Caller } from './caller.ts';

/** What a reviewer does, recorded: opening a case and looking at a file too. */
export type ReviewDesk = ReviewVerification & ReadCases;

/**
 * What somebody may do, bound to who they are. Every operation looks at their rights first, and is recorded in the audit
 * log before it is carried out: where the line cannot be written, nothing is done. What is refused is recorded too.
 *
 * All operations of all desks throw `NOT_ALLOWED` where the role is not enough.
 */
export interface Desks {
  /** For staff of a client, in everything bound to that client: what belongs to another is not found. */
  readonly dashboard: Dashboard;
  /** For reviewers and operators. */
  readonly review: ReviewDesk;
  /** For operators. */
  readonly administration: Administration;
  /** For everybody, with their own account: signing in and out, the password, the second factor. */
  account(accounts: Accounts): AccountDesk;
  /**
   * Records what was refused before it came to an operation: a page of another role, a forged origin, a session that has
   * ended. Of whoever is not signed in, at most 30 a minute from one address and 600 in all are recorded: a flood must not
   * fill the log.
   * `detail.code` is `NOT_ALLOWED` where it says no other. Does not reject: where the line cannot be written, `onFault` is
   * told, and whoever was refused is refused.
   * `clientId` and `targetId` say whom it was about; a client's staff are always recorded with their own client.
   */
  noteRefusal(what: {
    readonly action: AuditAction;
    readonly detail: JsonObject;
    readonly clientId?: string | undefined;
    readonly targetId?: string | undefined;
  }): Promise<void>;
}

export type ActingAs = (acting: Caller) => Desks;
