import { CountersignError, invalidParameters, tooManyRenewals } from '../errors.ts';
import type { RateLimit, RateLimiter } from '../rate-limit/rate-limiter.ts';
import { type BoundedCount, boundedCount, COUNTED_MATCHES } from '../subscription/bounded-count.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import { liveIdOf } from '../subscription/test-twin.ts';
import type { MailRecipients } from './mail-recipient.ts';
import type { IssuedLink, ListedUser, ManageStaff, NewUserContext, OneTimeLink } from './manage-staff.ts';
import { checkNewUser, type NewUser, normalEmail, type TeamInvitation } from './new-user.ts';
import type { NewRole } from './role-change.ts';
import type { User } from './user.ts';
import type { QueueUserMails } from './user-mails.ts';

// Called by the entries in actions/, which check the right and the input and write the audit entry.

/** The caller, and the users that they manage. */
export interface UserManager {
  /** The caller's own id; null for the command line. */
  readonly ownId: string | null;
  /** The client whose team the caller manages; null for operators, who manage all users. */
  readonly clientId: string | null;
}

/** Brings one-time links to users by mail, where the service sends mails. */
export interface UserLinks {
  readonly mails: QueueUserMails;
  /** Undefined in a service that sends no mails to users. */
  readonly recipients: MailRecipients | undefined;
  readonly newId: () => string;
}

/** A team may send this many invitations, failed ones included. */
const INVITATIONS: RateLimit = { requests: 100, windowSeconds: 60 * 60 };

/** Number of renewals of one invitation in an hour: each sends a mail to an address that the team chose. */
export const INVITATION_RENEWALS_AN_HOUR = 3;

/** Finds a user. @throws CountersignError `USER_NOT_FOUND`, also for a user outside the caller's team */
export async function findUser(staff: ManageStaff, { clientId }: UserManager, userId: string): Promise<User> {
  const user = clientId === null ? await staff.find(userId) : await findInTeam(staff, clientId, userId);
  if (user === null) throw userNotFound();
  return user;
}

/** What users are searched by, and the page. */
export interface UserSearch {
  /** The start of the e-mail address, in any case. Left out, every user. */
  readonly email?: string | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** A page of users. Ordered by e-mail address. */
export interface UserPage {
  /** By e-mail address. */
  readonly users: readonly ListedUser[];
  readonly total: BoundedCount;
  /** The `after` of the next page; null at the end. Opaque. */
  readonly next: string | null;
}

/** Reads a page of the users of all kinds. @throws CountersignError `INVALID_PARAMETERS` for an unknown page */
export async function searchUsers(
  staff: ManageStaff,
  { email = '', after }: UserSearch,
  limit: number,
): Promise<UserPage> {
  // A page is named by its last user. An address in a link would be personal data in browser histories.
  const last = after === undefined ? undefined : await staff.find(after);
  if (last === null) {
    const message = 'is not a position from an earlier page';
    throw invalidParameters([{ path: 'after', message, code: 'invalid' }]);
  }
  const { users, totalCount } = await staff.search({
    emailPrefix: normalEmail(email),
    after: last?.email,
    // One more than a page tells whether there is a next page.
    limit: limit + 1,
    countUpTo: COUNTED_MATCHES,
  });
  const shown = users.slice(0, limit);
  const next = users.length > limit ? (shown.at(-1)?.id ?? null) : null;
  return { users: shown, total: boundedCount(totalCount), next };
}

/** Creates a user of any kind. A user of a test twin is one of its client. @throws CountersignError `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`, `USER_EXISTS` */
export async function createUser(
  { staff, clients, userLinks }: { staff: ManageStaff; clients: Pick<ManageClients, 'get'>; userLinks: UserLinks },
  { ownId }: UserManager,
  input: NewUser,
): Promise<IssuedLink> {
  const { clientId } = checkNewUser(input);
  const client = clientId === null ? null : (await clients.get(clientId)).client;
  const placed = client === null ? input : { ...input, clientId: liveIdOf(client) };
  const result = await staff.create(placed, await contextOfNew(userLinks, ownId));
  if (result.outcome === 'exists') throw new CountersignError('USER_EXISTS');
  return issued(userLinks, result);
}

/** An invitation into a team. */
export interface Invited extends IssuedLink {
  /** The user elsewhere who has the e-mail address already: the invitation is withheld. For the audit log only. */
  readonly existingId: string | null;
}

/**
 * Creates a user of the client. An e-mail address that has an account elsewhere gets the same answer and the same place in the team's
 * list, with a link that sets no password and no mail: a team must not find out who has an account.
 * @throws CountersignError `RATE_LIMIT_EXCEEDED`; `USER_EXISTS` for a user of the client
 */
export async function inviteToTeam(
  { staff, rateLimiter, userLinks }: { staff: ManageStaff; rateLimiter: RateLimiter; userLinks: UserLinks },
  { clientId, userId }: { readonly clientId: string; readonly userId: string },
  user: TeamInvitation,
): Promise<Invited> {
  const { allowed } = await rateLimiter.consume(`team-invite:${clientId}`, INVITATIONS);
  if (!allowed) throw new CountersignError('RATE_LIMIT_EXCEEDED');
  const input: NewUser = { ...user, role: 'client', clientId };
  checkNewUser(input);
  const context = await contextOfNew(userLinks, userId);
  const result = await staff.create(input, { ...context, withholds: true });
  if (result.outcome === 'created') return { ...issued(userLinks, result), existingId: null };
  if (result.existing.clientId === clientId) throw new CountersignError('USER_EXISTS');
  return { ...issued(userLinks, result), existingId: result.existing.id };
}

/**
 * Makes a new invitation for a user of the team who has not joined: users of a team never set another's password.
 * @throws CountersignError `USER_NOT_FOUND`, `ALREADY_JOINED`, `TOO_MANY_RENEWALS`
 */
export async function renewInvitation(
  { staff, rateLimiter, userLinks }: { staff: ManageStaff; rateLimiter: RateLimiter; userLinks: UserLinks },
  clientId: string,
  userId: string,
): Promise<IssuedLink> {
  await requireInvited(staff, clientId, userId);
  const { allowed, resetAt } = await rateLimiter.consume(`invitation:${userId}`, {
    requests: INVITATION_RENEWALS_AN_HOUR,
    windowSeconds: 60 * 60,
  });
  if (!allowed) throw tooManyRenewals(resetAt);
  if (userLinks.mails.isOn) await userLinks.mails.queue('user.invitation', userId);
  const link = await staff.invite(userId);
  if (link === null) throw userNotFound();
  // The user may have joined by an earlier link just before it ended. This link would replace their password.
  await requireInvited(staff, clientId, userId);
  return issued(userLinks, link);
}

/** Makes a new one-time link for any user but the caller. @throws CountersignError `USER_NOT_FOUND`, `OWN_ACCOUNT` */
export async function inviteUser(
  { staff, userLinks }: { staff: ManageStaff; userLinks: UserLinks },
  manager: UserManager,
  userId: string,
): Promise<IssuedLink> {
  requireAnother(manager, userId);
  await findUser(staff, manager, userId);
  const link = await staff.invite(userId);
  if (link === null) throw userNotFound();
  // After the link, with which the operator vouches for the address. To users who have not joined, it is sent as an invitation.
  if (userLinks.mails.isOn) await userLinks.mails.queue('user.password_reset', userId);
  return issued(userLinks, link);
}

/** The user of a reset, and whether they have to confirm it by the link in a mail. */
export interface SecondFactorReset {
  readonly user: User;
  /** False: the second factor is removed. */
  readonly isMailed: boolean;
}

/**
 * Removes the second factor of any user but the caller, and ends their sessions. Where the service sends mails, nothing changes yet:
 * the user receives a link that does it, and that needs their password.
 * @throws CountersignError `USER_NOT_FOUND`, `OWN_ACCOUNT`
 */
export async function resetSecondFactor(
  { staff, userLinks }: { staff: ManageStaff; userLinks: UserLinks },
  manager: UserManager,
  userId: string,
): Promise<SecondFactorReset> {
  requireAnother(manager, userId);
  if (userLinks.mails.isOn) {
    const user = await findUser(staff, manager, userId);
    await userLinks.mails.queue('user.second_factor_reset', userId);
    return { user, isMailed: true };
  }
  const user = await staff.resetSecondFactor(userId);
  if (user === null) throw userNotFound();
  return { user, isMailed: false };
}

/** How long a password works although passwords are switched off for the role. */
const PASSWORD_ALLOWED_MS = 24 * 60 * 60 * 1_000;

/**
 * Lets a user sign in with a password for a day although passwords are switched off for their role, and makes a one-time link with
 * which they set one: the way back when an identity provider is gone. @throws CountersignError `USER_NOT_FOUND`
 */
export async function allowPassword(staff: ManageStaff, userId: string): Promise<OneTimeLink> {
  const user = await staff.identities.allowPassword(userId, PASSWORD_ALLOWED_MS);
  const link = user && (await staff.invite(userId));
  if (link === null) throw userNotFound();
  return link;
}

/**
 * Deletes the identities of any user but the caller at identity providers, and ends their sessions.
 * @throws CountersignError `USER_NOT_FOUND`, `OWN_ACCOUNT`
 */
export async function disconnectProviders(
  staff: ManageStaff,
  manager: UserManager,
  userId: string,
): Promise<User> {
  requireAnother(manager, userId);
  const user = await staff.identities.disconnect(userId);
  if (user === null) throw userNotFound();
  return user;
}

/**
 * Changes a user's role. A team keeps an owner; operators may leave it without one, but not change their own role.
 * @throws CountersignError `USER_NOT_FOUND`, `LAST_OWNER`, `OWN_ACCOUNT`; `INVALID_PARAMETERS` if the role is of
 * another kind
 */
export async function changeRole(
  staff: ManageStaff,
  manager: UserManager,
  userId: string,
  to: NewRole,
): Promise<void> {
  if (manager.clientId === null) requireAnother(manager, userId);
  await findUser(staff, manager, userId);
  const { outcome } = await staff.changeRole(userId, to, keepOwner(manager));
  switch (outcome) {
    case 'changed':
      return;
    case 'not_found':
      throw userNotFound();
    case 'last_owner':
      throw lastOwner();
    case 'other_kind':
      throw invalidParameters([
        { path: 'role', message: 'must be of the same kind: staff of a client stay with that client' },
      ]);
    default:
      return outcome satisfies never;
  }
}

/**
 * Removes any user but the caller. A team keeps an owner; operators may leave it without one.
 * @param typedEmail the user's e-mail address as an operator typed it, so as not to remove another user by mistake
 * @throws CountersignError `USER_NOT_FOUND`, `OWN_ACCOUNT`, `LAST_OWNER`; `INVALID_PARAMETERS` for another address
 */
export async function removeUser(
  staff: ManageStaff,
  manager: UserManager,
  userId: string,
  typedEmail?: string,
): Promise<User> {
  requireAnother(manager, userId);
  const { email } = await findUser(staff, manager, userId);
  if (typedEmail !== undefined && normalEmail(typedEmail) !== normalEmail(email)) {
    throw invalidParameters([{ path: 'email', message: "must be the user's e-mail address", code: 'invalid' }]);
  }
  const result = await staff.remove(userId, keepOwner(manager));
  switch (result.outcome) {
    case 'removed':
      return result.user;
    case 'not_found':
      throw userNotFound();
    case 'last_owner':
      throw lastOwner();
    default:
      return result satisfies never;
  }
}

/** Refuses the caller's own account: a stolen session must not set a password or remove a second factor. */
function requireAnother({ ownId }: UserManager, userId: string): void {
  if (userId === ownId) throw new CountersignError('OWN_ACCOUNT');
}

const keepOwner = ({ clientId }: UserManager) => ({ keepOwner: clientId !== null });

/**
 * Queues the invitation of a user who is created next, and returns their id and language. If they are not created, the mail has no
 * user and is dropped, so each user who is created receives it, even if this process ends in between.
 */
async function contextOfNew(
  { mails, recipients, newId }: UserLinks,
  invitedBy: string | null,
): Promise<NewUserContext> {
  if (!mails.isOn) return {};
  const by = invitedBy === null ? null : await recipients?.findRecipient(invitedBy);
  const id = newId();
  await mails.queue('user.invitation', id);
  return { id, locale: by?.locale ?? undefined };
}

/** Returns a link to pass on, or without its address where the user receives it by mail. */
function issued({ mails }: UserLinks, { user, invitationPath, expiresAt }: OneTimeLink): IssuedLink {
  return { user, invitationPath: mails.isOn ? null : invitationPath, expiresAt };
}

async function findInTeam(staff: ManageStaff, clientId: string, userId: string): Promise<ListedUser | null> {
  return (await staff.team(clientId)).find(({ id }) => id === userId) ?? null;
}

async function requireInvited(staff: ManageStaff, clientId: string, userId: string): Promise<void> {
  const user = await findInTeam(staff, clientId, userId);
  if (user === null) throw userNotFound();
  if (user.hasJoined) throw new CountersignError('ALREADY_JOINED');
}

function userNotFound(): CountersignError {
  return new CountersignError('USER_NOT_FOUND');
}

function lastOwner(): CountersignError {
  return new CountersignError('LAST_OWNER');
}
