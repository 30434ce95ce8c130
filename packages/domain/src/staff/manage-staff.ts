import type { NewUser } from './new-user.ts';
import type { NewRole } from './role-change.ts';
import type { User } from './user.ts';
import type { UserIdentities } from './user-identities.ts';

/** A one-time link, as a path below the service's address. It is shown once. */
export interface OneTimeLink {
  readonly user: User;
  readonly invitationPath: string;
  readonly expiresAt: Date;
}

/** A one-time link that the user receives by mail, or that the caller passes on. */
export interface IssuedLink extends Omit<OneTimeLink, 'invitationPath'> {
  /** Null if the user receives the link by mail. */
  readonly invitationPath: string | null;
}

/** How long a one-time link works, in milliseconds. */
export const INVITATION_LIFETIME_MS: number = 24 * 60 * 60 * 1_000;

/** A user as lists show it. */
export interface ListedUser extends User {
  readonly createdAt: Date;
  /** When the user's one-time link expires; null without a valid link. */
  readonly invitedUntil: Date | null;
  /** Whether the user has set a password, or has an identity at a provider that did not withdraw it. */
  readonly hasJoined: boolean;
  readonly hasSecondFactor: boolean;
}

/** Users whose e-mail address begins with a text. */
export interface UserQuery {
  /** In the form of `normalEmail`; an empty text matches every address. */
  readonly emailPrefix: string;
  /** The e-mail address of the last user of the page before. */
  readonly after: string | undefined;
  readonly limit: number;
  /** How far matches are counted: `totalCount` is exact up to this number, and any larger number if there are more. */
  readonly countUpTo: number;
}

/** What is known of a new user beside the input. */
export interface NewUserContext {
  /** The id; default a new one. It must be a UUID that no user has had. */
  readonly id?: string | undefined;
  /** The language of mails until the user signs in; default unknown. */
  readonly locale?: string | undefined;
  /**
   * Whether the team gets a withheld invitation if the address has a user elsewhere. To the team, it looks like the invitation of a user
   * who never joins (`ManageStaff.team`). Default false.
   */
  readonly withholds?: boolean | undefined;
}

/** Whether to refuse a change that leaves a team without an owner (`leavesNoOwner`). Operators may allow it. */
export interface KeepOwner {
  readonly keepOwner: boolean;
}

/**
 * Stores users. Each operation is atomic. Ids are untrusted text: an id that cannot exist is not found.
 *
 * Concurrency: if two owners of a client remove or demote each other at once with `keepOwner`, one call wins and the other
 * receives `last_owner` and changes nothing. Of calls on one removed user, the losers receive `not_found` or null.
 */
export interface ManageStaff {
  /**
   * Creates a user and a one-time link.
   *
   * Concurrency: of calls with one e-mail address, the first wins; the others receive `exists` and change nothing.
   * @returns `exists` if a user has the e-mail address: that user, and the user and link that would have been created.
   *   The link sets no password. It takes about as long to make, so that the time does not tell that the user exists. For an address to
   *   which the team has a withheld invitation (`withholds`), the existing user is that of the invitation
   * @throws CountersignError `INVALID_PARAMETERS` (`checkNewUser`)
   */
  create(
    input: NewUser,
    context?: NewUserContext,
  ): Promise<
    | ({ readonly outcome: 'created' } & OneTimeLink)
    | ({ readonly outcome: 'exists'; readonly existing: User } & OneTimeLink)
  >;
  find(userId: string): Promise<User | null>;
  /** Which identity at an identity provider belongs to which user. */
  readonly identities: UserIdentities;
  /** Finds a user by e-mail address, in any case and with spaces around it. */
  findByEmail(email: string): Promise<User | null>;
  /**
   * Lists the team of a client as its users see it; oldest first: the users, and withheld invitations. `invite`, `changeRole` and `remove`
   * take the id of a withheld invitation, too; no other operation finds one.
   */
  team(clientId: string): Promise<readonly ListedUser[]>;
  /** Lists all users, or those of one client; oldest first. All users are not for requests: it reads every one. */
  list(of?: { readonly clientId: string }): Promise<readonly ListedUser[]>;
  /**
   * Reads a page of the users whose e-mail address begins with a text, in the order of the addresses. `totalCount` counts all
   * matches, wherever the page begins.
   */
  search(query: UserQuery): Promise<{ readonly users: readonly ListedUser[]; readonly totalCount: number }>;
  /**
   * Makes a new one-time link, for a lost link or password. Null for an unknown user. The caller vouches for the user: an e-mail
   * address that no provider verified counts as verified from then on.
   *
   * Concurrency: the last call wins; links of earlier calls end.
   */
  invite(userId: string): Promise<OneTimeLink | null>;
  /**
   * Changes a user's role, from the next request on.
   * @returns `other_kind` if staff of a client would become a reviewer or operator, or the reverse
   */
  changeRole(
    userId: string,
    to: NewRole,
    options: KeepOwner,
  ): Promise<{ readonly outcome: 'changed' | 'not_found' | 'other_kind' | 'last_owner' }>;
  /** Removes a user's second factor and passkeys, and ends every session, for a lost device. Null for an unknown user. */
  resetSecondFactor(userId: string): Promise<User | null>;
  /** Removes a user, every session and every link immediately. Histories keep the id. */
  remove(
    userId: string,
    options: KeepOwner,
  ): Promise<
    | { readonly outcome: 'removed'; readonly user: User }
    | { readonly outcome: 'not_found' }
    | { readonly outcome: 'last_owner' }
  >;
}
