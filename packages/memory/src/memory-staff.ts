import type { Clock, Ids } from '@countersign/domain';
import type { MailRecipients } from '@countersign/domain/mail';
import {
  changedRole,
  checkNewUser,
  INVITATION_LIFETIME_MS,
  type ListedUser,
  leavesNoOwner,
  type ManageStaff,
  type NewUserContext,
  normalEmail,
  type OneTimeLink,
  type User,
} from '@countersign/domain/staff';
import { createMemoryIdentities } from './memory-identities.ts';

/** `ManageStaff` in memory. There is no sign-in: tests set what users would do there, such as joining. */
export interface MemoryStaff extends ManageStaff, MailRecipients {
  /** Adds a user with an id of the test's choice, who has joined by default. */
  add(user: User, state?: Partial<Pick<ListedUser, 'hasJoined' | 'hasSecondFactor'>>): void;
  /** Uses up a user's one-time link: the user has joined. */
  join(userId: string): void;
  setUpSecondFactor(userId: string): void;
  removeSecondFactor(userId: string): void;
  /** Whether a user may not set a password, because every provider has withdrawn their access. */
  isShutOut(userId: string): boolean;
  /** Returns the user of a one-time link that still works; null for any other token. */
  userOfLink(token: string): User | null;
  /** Returns the user of a withheld invitation's link; null for any other token. */
  withheldOfLink(token: string): User | null;
}

/** A user with the token of the latest one-time link. */
interface StoredAccount extends Omit<ListedUser, 'hasJoined'> {
  readonly hasPassword: boolean;
  readonly token: string | null;
  readonly locale: string | null;
  readonly hasUnverifiedEmail: boolean;
  /** When the user set their password or connected an identity; null with neither. */
  readonly passwordSetAt: Date | null;
  /** When the user set up their second factor; null without one. */
  readonly secondFactorSetAt: Date | null;
  /** Counts passwords, identities and second factors, so that each has a mark of its own. 0: the user has never joined. */
  readonly changes: number;
}

/**
 * Creates `ManageStaff` in memory, for tests and trials. No operation awaits anything, so each is atomic.
 * @param options.onEnded called with the id of a user whose sessions must end
 * @param options.onPasswordEnded called with the id of a user whose password must end
 * @param options.onPasskeysEnded called with the id of a user whose passkeys must end
 */
export function createMemoryStaff({
  clock,
  ids,
  onEnded = () => undefined,
  onPasswordEnded = () => undefined,
  onPasskeysEnded = () => undefined,
}: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onEnded?: (userId: string) => void;
  readonly onPasswordEnded?: (userId: string) => void;
  readonly onPasskeysEnded?: (userId: string) => void;
}): MemoryStaff {
  const users = new Map<string, StoredAccount>();
  /** Invitations to addresses that have a user elsewhere. They look like those of users who never join. */
  const withheld = new Map<string, StoredAccount>();

  function update(user: Pick<ListedUser, 'id'>, change: Partial<StoredAccount>): void {
    const known = users.get(user.id);
    if (known !== undefined) users.set(user.id, { ...known, ...change });
  }

  function newLink(user: User): { link: OneTimeLink; token: string } {
    const token = ids.next();
    const expiresAt = new Date(clock.now().getTime() + INVITATION_LIFETIME_MS);
    return { link: { user: userOf(user), invitationPath: `/account/welcome/${token}`, expiresAt }, token };
  }

  function link(user: User): OneTimeLink {
    const made = newLink(user);
    const open = { invitedUntil: new Date(made.link.expiresAt), token: made.token };
    update(user, { ...open, hasUnverifiedEmail: false });
    const unsent = withheld.get(user.id);
    if (unsent !== undefined) withheld.set(user.id, { ...unsent, ...open });
    return made.link;
  }

  const withheldTo = (clientId: string | null, email: string) =>
    [...withheld.values()].find((each) => each.clientId === clientId && each.email === email);

  const isOpen = ({ invitedUntil }: Pick<ListedUser, 'invitedUntil'>): boolean =>
    invitedUntil !== null && invitedUntil > clock.now();

  function listed({
    token: _token,
    locale: _locale,
    hasUnverifiedEmail: _hasUnverifiedEmail,
    passwordSetAt: _passwordSetAt,
    secondFactorSetAt: _secondFactorSetAt,
    changes: _changes,
    hasPassword,
    ...user
  }: StoredAccount): ListedUser {
    const hasJoined = hasPassword || identities.isConnected(user.id);
    return structuredClone({ ...user, hasJoined, invitedUntil: isOpen(user) ? user.invitedUntil : null });
  }

  const teamOf = (clientId: string | null): ListedUser[] =>
    [...users.values()].filter((user) => user.clientId === clientId && clientId !== null).map(listed);

  function insert(
    user: User,
    { hasJoined = false, hasSecondFactor = false, hasUnverifiedEmail = false, locale = null as string | null },
  ): User {
    const created = { ...user, createdAt: clock.now(), invitedUntil: null, hasSecondFactor };
    const passwordSetAt = hasJoined ? clock.now() : null;
    const secondFactorSetAt = hasSecondFactor ? clock.now() : null;
    const replaced = withheldTo(user.clientId, user.email);
    if (replaced !== undefined) withheld.delete(replaced.id);
    users.set(user.id, {
      ...created,
      hasPassword: hasJoined,
      token: null,
      locale,
      hasUnverifiedEmail,
      passwordSetAt,
      secondFactorSetAt,
      changes: hasJoined ? 1 : 0,
    });
    return user;
  }

  function change(userId: string, changed: Partial<StoredAccount>): void {
    const user = users.get(userId);
    if (user !== undefined) update(user, { ...changed, changes: user.changes + 1 });
  }

  const identities = createMemoryIdentities({
    clock,
    users: {
      find: (userId) => {
        const user = users.get(userId);
        return user === undefined ? null : userOf(user);
      },
      insert(input, { emailVerified }) {
        const values = checkNewUser(input);
        if ([...users.values()].some(({ email }) => email === values.email)) return null;
        return userOf(insert({ id: ids.next(), ...values }, { hasUnverifiedEmail: !emailVerified }));
      },
      hasUnverifiedEmail: (userId) => users.get(userId)?.hasUnverifiedEmail === true,
      useLink(userId, token) {
        const user = users.get(userId);
        if (user === undefined || user.token !== token || !isOpen(user)) return false;
        update(user, { invitedUntil: null, token: null });
        return true;
      },
      markOf: (userId) => passwordMarkOf(users.get(userId)),
      hasPassword: (userId) => users.get(userId)?.hasPassword === true,
      connected: (userId, at) => change(userId, { passwordSetAt: at }),
      disconnected(userId) {
        const user = users.get(userId);
        if (user !== undefined) change(userId, { passwordSetAt: user.hasPassword ? user.passwordSetAt : null });
      },
      endPassword(userId) {
        change(userId, { hasPassword: false, invitedUntil: null, token: null });
        onPasswordEnded(userId);
      },
      endSessions: onEnded,
      endPasskeys: onPasskeysEnded,
    },
  });

  return {
    identities,
    async create(input, { id = ids.next(), locale, withholds = false }: NewUserContext = {}) {
      const values = checkNewUser(input);
      const user = { id, ...values };
      const known = withholds ? withheldTo(user.clientId, user.email) : undefined;
      const existing = known ?? [...users.values()].find(({ email }) => email === values.email);
      if (existing !== undefined) {
        const isElsewhere = existing.clientId !== user.clientId;
        if (withholds && isElsewhere) withheld.set(id, withheldInvitation(user));
        const made = withholds && isElsewhere ? link(user) : newLink(user).link;
        return { outcome: 'exists', existing: userOf(existing), ...made };
      }
      return { outcome: 'created', ...link(insert(user, { locale: locale ?? null })) };
    },

    async find(userId) {
      const user = users.get(userId);
      return user === undefined ? null : userOf(user);
    },

    async findByEmail(email) {
      const user = [...users.values()].find((each) => each.email === normalEmail(email));
      return user === undefined ? null : userOf(user);
    },

    async team(clientId) {
      const unsent = [...withheld.values()].filter((each) => each.clientId === clientId).map(listed);
      return [...teamOf(clientId), ...unsent].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    },

    async list(of) {
      return of === undefined ? [...users.values()].map(listed) : teamOf(of.clientId);
    },

    async search({ emailPrefix, after = '', limit }) {
      const matching = [...users.values()].filter(({ email }) => email.startsWith(emailPrefix));
      const later = matching.filter(({ email }) => email > after).sort((a, b) => (a.email < b.email ? -1 : 1));
      return { users: later.slice(0, limit).map(listed), totalCount: matching.length };
    },

    async invite(userId) {
      const user = users.get(userId) ?? withheld.get(userId);
      return user === undefined ? null : link(user);
    },

    async changeRole(userId, to, { keepOwner }) {
      const user = users.get(userId);
      if (user === undefined) {
        const unsent = withheld.get(userId);
        if (unsent === undefined || !('teamRole' in to)) return { outcome: 'not_found' };
        withheld.set(userId, { ...unsent, teamRole: to.teamRole });
        return { outcome: 'changed' };
      }
      const next = changedRole(user, to);
      if (next === null) return { outcome: 'other_kind' };
      const { teamRole } = next;
      if (keepOwner && leavesNoOwner(teamOf(user.clientId), { userId, teamRole }))
        return { outcome: 'last_owner' };
      update(user, next);
      return { outcome: 'changed' };
    },

    async resetSecondFactor(userId) {
      const user = users.get(userId);
      if (user === undefined) return null;
      update(user, { hasSecondFactor: false, secondFactorSetAt: null });
      onPasskeysEnded(userId);
      onEnded(userId);
      return userOf(user);
    },

    async remove(userId, { keepOwner }) {
      const user = users.get(userId);
      if (user === undefined) {
        const unsent = withheld.get(userId);
        withheld.delete(userId);
        return unsent === undefined ? { outcome: 'not_found' } : { outcome: 'removed', user: userOf(unsent) };
      }
      if (keepOwner && leavesNoOwner(teamOf(user.clientId), { userId, teamRole: null })) {
        return { outcome: 'last_owner' };
      }
      users.delete(userId);
      identities.forget(userId);
      onPasskeysEnded(userId);
      onEnded(userId);
      return { outcome: 'removed', user: userOf(user) };
    },

    add(user, { hasJoined = true, hasSecondFactor = false } = {}) {
      insert(user, { hasJoined, hasSecondFactor });
    },

    join(userId) {
      change(userId, { hasPassword: true, invitedUntil: null, token: null, passwordSetAt: clock.now() });
      // An intruder may have added one of these.
      onPasskeysEnded(userId);
      identities.passwordSet(userId);
    },

    setUpSecondFactor(userId) {
      change(userId, { hasSecondFactor: true, secondFactorSetAt: clock.now() });
    },

    removeSecondFactor(userId) {
      change(userId, { hasSecondFactor: false, secondFactorSetAt: null });
      onPasskeysEnded(userId);
    },

    async findRecipient(userId) {
      const user = users.get(userId);
      if (user === undefined) return null;
      const { locale, hasUnverifiedEmail, passwordSetAt, secondFactorSetAt, changes } = user;
      return structuredClone({
        user: userOf(user),
        locale,
        hasUnverifiedEmail,
        passwordMark: passwordMarkOf(user),
        passwordSetAt,
        secondFactor: secondFactorSetAt === null ? null : { mark: String(changes), setAt: secondFactorSetAt },
      });
    },

    async keepLocale(userId, locale) {
      const user = users.get(userId);
      if (user !== undefined) update(user, { locale });
    },

    isShutOut: identities.isShutOut,

    userOfLink(token) {
      const user = [...users.values()].find((each) => each.token === token && isOpen(each));
      return user === undefined ? null : userOf(user);
    },

    withheldOfLink(token) {
      const user = [...withheld.values()].find((each) => each.token === token && isOpen(each));
      return user === undefined ? null : userOf(user);
    },
  };

  function withheldInvitation(user: User): StoredAccount {
    return {
      ...user,
      createdAt: clock.now(),
      invitedUntil: null,
      hasPassword: false,
      hasSecondFactor: false,
      hasUnverifiedEmail: false,
      token: null,
      locale: null,
      passwordSetAt: null,
      secondFactorSetAt: null,
      changes: 0,
    };
  }
}

function passwordMarkOf(user: StoredAccount | undefined): string | null {
  return user === undefined || user.changes === 0 ? null : String(user.changes);
}

function userOf({ id, email, name, role, clientId, teamRole }: User): User {
  return { id, email, name, role, clientId, teamRole };
}
