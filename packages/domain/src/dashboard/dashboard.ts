import type { ApiKey, KeyLifetimeDays, ListedKey } from '../access/api-key.ts';
import type { NewApiKey } from '../access/manage-api-keys.ts';
import type { ListedUser, OneTimeLink } from '../staff/manage-staff.ts';
import type { TeamRole } from '../staff/user.ts';
import type { ClientWithSubscription } from '../subscription/client-repository.ts';
import type { Usage } from '../subscription/quota.ts';
import type { Flow, SubjectType } from '../verification/flow.ts';
import type { Status } from '../verification/status.ts';
import type { CreatedVerification, VerificationDetails, VerificationView } from '../verification/views.ts';

/** Parts of the dashboard that not everybody in a team may use (rights.ts). */
export type DashboardRight =
  | 'manage_keys'
  | 'manage_team'
  | 'read_submitted_data'
  | 'manage_verifications'
  | 'export';

/** What a client's staff does (interface, Authentication 10). */
export interface Dashboard {
  /** Whether whoever acts may do it: for pages that leave out what is not for their reader. */
  may(right: DashboardRight): boolean;
  /** The client itself. */
  client(): Promise<ClientWithSubscription>;
  readonly keys: DashboardKeys;
  readonly verifications: DashboardVerifications;
  usage(): Promise<DashboardUsage>;
  readonly team: DashboardTeam;
}

/** Needs `manage_keys`, all of it. */
export interface DashboardKeys {
  /** Newest first. */
  list(): Promise<{ readonly keys: readonly ListedKey[]; readonly active: number; readonly limit: number }>;
  /** @throws `API_KEY_NOT_FOUND` */
  get(keyId: string): Promise<ListedKey>;
  /**
   * `value` is the key itself: it is returned here and never again. A name is needed: keys are revoked by it.
   * @throws `CONFIRMATION_NEEDED`, `INVALID_PARAMETERS`, `API_KEY_LIMIT_REACHED`
   */
  issue(input: NewApiKey): Promise<{ readonly key: ApiKey; readonly value: string }>;
  /**
   * A new key with the name and permissions of an active one, and the lifetime given, to take its place: that one goes on
   * working until it is revoked.
   * @throws `CONFIRMATION_NEEDED`, `API_KEY_NOT_FOUND`, `API_KEY_LIMIT_REACHED`, `INVALID_PARAMETERS`; where the old key is not active `INVALID_PARAMETERS`
   */
  rotate(
    keyId: string,
    input: { readonly expiresInDays?: KeyLifetimeDays | undefined },
  ): Promise<{ readonly key: ApiKey; readonly value: string; readonly replaces: ApiKey }>;
  /**
   * `typedName` must be the key's name; for a key without one, its display (`csk_ab12…cd34`).
   * @throws `API_KEY_NOT_FOUND`, `INVALID_PARAMETERS` with the path `name`; nothing is revoked then
   */
  revoke(keyId: string, typedName: string): Promise<void>;
}

/** What a list may be asked for, as a page's address has it. */
export interface BrowseRequest {
  readonly status?: Status | undefined;
  readonly type?: SubjectType | undefined;
  readonly subjectReferencePrefix?: string | undefined;
  /** First and last day, `YYYY-MM-DD` in UTC, both included. */
  readonly fromDay?: string | undefined;
  readonly untilDay?: string | undefined;
}

/** A verification in a list: without anything that the subject handed in. */
export interface BrowsedVerification {
  readonly id: string;
  readonly type: SubjectType;
  readonly subjectReference: string;
  readonly status: Status;
  readonly requestedAt: Date;
  readonly submittedAt: Date | null;
  readonly resolvedAt: Date | null;
  readonly currentStep: number;
  readonly totalSteps: number;
}

export interface BrowsedPage {
  readonly items: readonly BrowsedVerification[];
  readonly totalCount: number;
  /** To be given back as `after` for the next page; null at the end. Opaque. */
  readonly next: string | null;
}

export interface DashboardVerifications {
  /** 25 a page, the newest first. @throws `INVALID_PARAMETERS` */
  browse(request: BrowseRequest & { readonly after?: string | undefined }): Promise<BrowsedPage>;
  /**
   * `submittedData` and `documents` are null for whoever may not read them; who may is recorded as having read them.
   * `verificationUrl` is null without `manage_verifications`.
   * @throws `VERIFICATION_NOT_FOUND`
   */
  open(verificationId: string): Promise<OpenedVerification>;
  /**
   * As the API's creation, and counted like one. Needs `manage_verifications`. `idempotencyKey` is for forms: a page puts
   * a new random one (1–255 printable ASCII characters) into each form that it shows, hidden, and hands it in here with
   * what was filled in. A form that is sent twice then makes one verification and gets one answer twice. The same form
   * with something else filled in, after it made one, is `IDEMPOTENCY_KEY_REUSED`. What was refused may be corrected
   * and sent again with the same one.
   * @throws what `CreateVerification` throws, without `INSUFFICIENT_PERMISSIONS`
   */
  create(input: unknown, options?: { readonly idempotencyKey?: string | undefined }): Promise<CreatedVerification>;
  /** @throws `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION` */
  withdraw(verificationId: string): Promise<VerificationView>;
  /** @throws `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION` */
  renewLink(verificationId: string): Promise<VerificationView>;
  /**
   * All that match, the newest first, read page by page as they are taken. `totalCount` is what matches at the start.
   * Needs `export`. @throws `INVALID_PARAMETERS`
   */
  export(
    request: BrowseRequest,
  ): Promise<{ readonly totalCount: number; readonly rows: AsyncIterable<BrowsedVerification> }>;
}

export type OpenedVerification = Omit<VerificationDetails, 'submittedData' | 'documents' | 'verificationUrl'> & {
  /** The flow that it began with; its fields label the answers. */
  readonly flow: Flow;
  readonly submittedData: VerificationDetails['submittedData'] | null;
  readonly documents: VerificationDetails['documents'] | null;
  /** Null for whoever may not send it: with it, one goes on in the subject's place. */
  readonly verificationUrl: string | null;
  readonly linkExpiresAt: Date;
  /** Moves that are legal now. */
  readonly mayWithdraw: boolean;
  readonly mayRenewLink: boolean;
};

export interface DashboardUsage extends Usage {
  /** Whether the API would answer `NO_ACTIVE_SUBSCRIPTION` now, `LIMIT_EXCEEDED`, or neither. */
  readonly standing: 'open' | 'no_active_subscription' | 'limit_reached';
  /** First moment of the next month, when the count begins again. */
  readonly resetsAt: Date;
  /** The last 30 days in UTC, today last, those without any included. `day` is `YYYY-MM-DD`. */
  readonly days: readonly { readonly day: string; readonly count: number }[];
}

/** Needs `manage_team`, all but `list`. Everything that changes something needs a confirmed identity. */
export interface DashboardTeam {
  list(): Promise<readonly ListedUser[]>;
  /** At most 100 an hour for a team. @throws `CONFIRMATION_NEEDED`, `INVALID_PARAMETERS`, `RATE_LIMIT_EXCEEDED`, `USER_EXISTS` */
  invite(input: {
    readonly email: string;
    readonly name?: string | undefined;
    readonly teamRole: TeamRole;
  }): Promise<OneTimeLink>;
  /** Only for somebody who has not joined yet: another's password is not for colleagues to set. @throws `CONFIRMATION_NEEDED`, `USER_NOT_FOUND` */
  renewInvitation(userId: string): Promise<OneTimeLink>;
  /** @throws `CONFIRMATION_NEEDED`, `USER_NOT_FOUND`, `LAST_OWNER`, `INVALID_PARAMETERS` */
  changeRole(userId: string, teamRole: TeamRole): Promise<void>;
  /** @throws `CONFIRMATION_NEEDED`, `USER_NOT_FOUND`, `LAST_OWNER`, `OWN_ACCOUNT` */
  remove(userId: string): Promise<void>;
}
