import type { TeamRole } from './team-role.ts';
import type { StaffRole, User } from './user.ts';

export interface NewUser {
  readonly email: string;
  readonly name?: string | undefined;
  readonly role: StaffRole;
  /** Needed with the role `client`, and with no other. */
  readonly clientId?: string | undefined;
  /** With the role `client` only; default `owner`. */
  readonly teamRole?: TeamRole | undefined;
}

/** A one-time link, as a path below the service's address. Shown once. */
export interface OneTimeLink {
  readonly user: User;
  readonly invitationPath: string;
  readonly expiresAt: Date;
}

/** A user as lists show them. */
export interface ListedUser extends User {
  readonly createdAt: Date;
  /** Until when their one-time link works; null where there is none that does. */
  readonly invitedUntil: Date | null;
  /** Whether they have set a password. */
  readonly hasJoined: boolean;
  readonly hasSecondFactor: boolean;
}

/** A role to change to. Staff of a client stay with that client; reviewers and operators change among themselves. */
export type NewRole =
  | { readonly role: 'client'; readonly teamRole: TeamRole }
  | { readonly role: 'reviewer' | 'operator' };

/**
 * Where the last owner of a client must stay one. Those who have joined count; where none has yet, all who were invited
 * do. An operator may decide otherwise.
 */
export interface KeepOwner {
  readonly keepOwner: boolean;
}

/**
 * Accounts of people who sign in. Each operation is atomic in itself: of two owners of one client who remove or demote
 * each other at once with `keepOwner`, one succeeds and the other gets `last_owner`. An id is whatever a form sent: a
 * text that cannot be one finds nobody.
 */
export interface ManageStaff {
  /** Makes the account and a one-time link. `exists` where the e-mail has an account. @throws `INVALID_PARAMETERS` */
  create(
    input: NewUser,
  ): Promise<({ readonly outcome: 'created' } & OneTimeLink) | { readonly outcome: 'exists' }>;
  find(userId: string): Promise<User | null>;
  /** Case and spaces around it do not count. */
  findByEmail(email: string): Promise<User | null>;
  /** Everybody, or the staff of one client; who has been there longest first. */
  list(of?: { readonly clientId: string }): Promise<readonly ListedUser[]>;
  /** A new one-time link for somebody who lost theirs, or forgot the password; earlier links end. Null for nobody. */
  invite(userId: string): Promise<OneTimeLink | null>;
  /** Holds from their next request on. `other_kind` where a client's staff would become somebody else's, or the reverse. */
  changeRole(
    userId: string,
    to: NewRole,
    options: KeepOwner,
  ): Promise<{ readonly outcome: 'changed' | 'not_found' | 'other_kind' | 'last_owner' }>;
  /** For somebody who lost the device and the backup codes: the second factor and every session end. Null for nobody. */
  resetSecondFactor(userId: string): Promise<User | null>;
  /** For somebody who left: the account and every session end at once. Histories keep the id. */
  remove(
    userId: string,
    options: KeepOwner,
  ): Promise<
    | { readonly outcome: 'removed'; readonly user: User }
    | { readonly outcome: 'not_found' }
    | { readonly outcome: 'last_owner' }
  >;
}
