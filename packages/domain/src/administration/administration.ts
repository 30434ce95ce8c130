import type { ApiKey } from '../access/api-key.ts';
import type { NewApiKey } from '../access/manage-api-keys.ts';
import type { AuditAction, AuditEntry, AuditOutcome } from '../audit/audit-entry.ts';
import type { DashboardUsage } from '../dashboard/dashboard.ts';
import type { ListedUser, OneTimeLink } from '../staff/manage-staff.ts';
import type { NewUser } from '../staff/new-user.ts';
import type { NewRole } from '../staff/role-change.ts';
import type { User } from '../staff/user.ts';
import type { Client } from '../subscription/client.ts';
import type { ClientWithSubscription } from '../subscription/client-repository.ts';
import type { NewClient, SubscriptionSettings } from '../subscription/manage-clients.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { VerificationView } from '../verification/views.ts';

/** What an operator does. What makes a key or changes users needs a confirmed identity; at the command line nothing does. */
export interface Administration {
  readonly clients: AdministerClients;
  readonly users: AdministerUsers;
  readonly keys: AdministerKeys;
  readonly verifications: AdministerVerifications;
  readonly audit: ReadAudit;
}

export interface AdministerClients {
  list(): Promise<readonly ClientWithSubscription[]>;
  /** @throws `CLIENT_NOT_FOUND` */
  get(clientId: string): Promise<ClientWithSubscription>;
  /** @throws `CLIENT_NOT_FOUND` */
  usage(clientId: string): Promise<DashboardUsage>;
  /** @throws `INVALID_PARAMETERS` */
  create(input: NewClient): Promise<ClientWithSubscription>;
  /** @throws `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND` */
  setSubscription(clientId: string, settings: SubscriptionSettings): Promise<Subscription>;
  /** @throws `CLIENT_NOT_FOUND` */
  setSandbox(clientId: string, sandbox: boolean): Promise<Client>;
}

export interface AdministerUsers {
  list(of?: { readonly clientId: string }): Promise<readonly ListedUser[]>;
  /** @throws `USER_NOT_FOUND` */
  get(userId: string): Promise<User>;
  /** @throws `CONFIRMATION_NEEDED`, `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`, `USER_EXISTS` */
  create(input: NewUser): Promise<OneTimeLink>;
  /** @throws `CONFIRMATION_NEEDED`, `USER_NOT_FOUND`, `OWN_ACCOUNT` */
  invite(userId: string): Promise<OneTimeLink>;
  /** @throws `CONFIRMATION_NEEDED`, `USER_NOT_FOUND`, `OWN_ACCOUNT`, `INVALID_PARAMETERS` */
  changeRole(userId: string, to: NewRole): Promise<void>;
  /** @throws `CONFIRMATION_NEEDED`, `USER_NOT_FOUND`, `OWN_ACCOUNT` */
  resetSecondFactor(userId: string): Promise<User>;
  /** @throws `CONFIRMATION_NEEDED`, `USER_NOT_FOUND`, `OWN_ACCOUNT` */
  remove(userId: string): Promise<User>;
}

/** For the command line: `ManageApiKeys`, recorded. */
export interface AdministerKeys {
  list(clientId: string): Promise<readonly ApiKey[]>;
  issue(clientId: string, input: NewApiKey): Promise<{ readonly key: ApiKey; readonly value: string }>;
  revoke(clientId: string, keyId: string): Promise<void>;
}

/** Of whichever client. */
export interface AdministerVerifications {
  /** @throws `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION` */
  withdraw(verificationId: string): Promise<VerificationView>;
  /** @throws `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION` */
  renewLink(verificationId: string): Promise<VerificationView>;
}

export interface AuditRequest {
  readonly actorId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** Only lines before this one. */
  readonly before?: number | undefined;
}

export interface ReadAudit {
  /** 50 a page, the newest first; `next` is the `before` of the next page, null at the end. Reading is not recorded. @throws `INVALID_PARAMETERS` */
  list(request: AuditRequest): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: number | null }>;
}
