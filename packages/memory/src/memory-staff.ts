import type { Clock, Ids, ListedUser, ManageStaff, NewRole, OneTimeLink, User } from '@countersign/domain';
import { checkedMember, normalEmail } from './new-staff.ts';

/** Accounts without a sign-in: what people do themselves elsewhere is told to it. */
export interface MemoryStaff extends ManageStaff {
  /** The user used their one-time link: it ends, and they have a password. */
  join(userId: string): void;
  /** The user confirmed a second factor. */
  setUpSecondFactor(userId: string): void;
}

const INVITATION_MS = 24 * 60 * 60 * 1000;

/** For tests and trials. Each operation runs without giving way, which makes it atomic. */
export function createMemoryStaff({ clock, ids }: { clock: Clock; ids: Ids }): MemoryStaff {
  /** In the order of their making. */
  const accounts = new Map<string, ListedUser>();

  const set = (account: ListedUser, change: Partial<ListedUser>): void => {
    accounts.set(account.id, { ...account, ...change });
  };

  function link(account: ListedUser): OneTimeLink {
    const invitedUntil = new Date(clock.now().getTime() + INVITATION_MS);
    set(account, { invitedUntil });
    return {
      user: userOf(account),
      invitationPath: `/account/welcome/${ids.next()}`,
      expiresAt: new Date(invitedUntil),
    };
  }

  /** As they are listed now: an invitation that has run out is none. */
  function listed(account: ListedUser): ListedUser {
    const { invitedUntil } = account;
    const isOpen = invitedUntil !== null && invitedUntil > clock.now();
    return structuredClone({ ...account, invitedUntil: isOpen ? invitedUntil : null });
  }

  function isLastOwner({ id, clientId }: User): boolean {
    const owners = [...accounts.values()].filter(
      (each) => each.clientId === clientId && each.teamRole === 'owner',
    );
    const joined = owners.filter(({ hasJoined }) => hasJoined);
    const counted = joined.length > 0 ? joined : owners;
    return counted.length === 1 && counted[0]?.id === id;
  }

  return {
    async create(input) {
      const user = checkedMember(ids.next(), input);
      const isTaken = [...accounts.values()].some(({ email }) => email === user.email);
      if (isTaken) return { outcome: 'exists' };
      const account: ListedUser = {
        ...user,
        createdAt: clock.now(),
        invitedUntil: null,
        hasJoined: false,
        hasSecondFactor: false,
      };
      return { outcome: 'created', ...link(account) };
    },

    async find(userId) {
      const account = accounts.get(userId);
      return account === undefined ? null : userOf(account);
    },

    async findByEmail(email) {
      const account = [...accounts.values()].find((each) => each.email === normalEmail(email));
      return account === undefined ? null : userOf(account);
    },

    async list(of) {
      const wanted = [...accounts.values()].filter(({ clientId }) => of === undefined || clientId === of.clientId);
      return wanted.map(listed);
    },

    async invite(userId) {
      const account = accounts.get(userId);
      return account === undefined ? null : link(account);
    },

    async changeRole(userId, to, { keepOwner }) {
      const account = accounts.get(userId);
      if (account === undefined) return { outcome: 'not_found' };
      if ((account.role === 'client') !== (to.role === 'client')) return { outcome: 'other_kind' };
      const teamRole = teamRoleOf(to);
      if (keepOwner && teamRole !== 'owner' && isLastOwner(account)) return { outcome: 'last_owner' };
      set(account, { role: to.role, teamRole });
      return { outcome: 'changed' };
    },

    async resetSecondFactor(userId) {
      const account = accounts.get(userId);
      if (account === undefined) return null;
      set(account, { hasSecondFactor: false });
      return userOf(account);
    },

    async remove(userId, { keepOwner }) {
      const account = accounts.get(userId);
      if (account === undefined) return { outcome: 'not_found' };
      if (keepOwner && isLastOwner(account)) return { outcome: 'last_owner' };
      accounts.delete(userId);
      return { outcome: 'removed', user: userOf(account) };
    },

    join(userId) {
      const account = accounts.get(userId);
      if (account !== undefined) set(account, { hasJoined: true, invitedUntil: null });
    },

    setUpSecondFactor(userId) {
      const account = accounts.get(userId);
      if (account !== undefined) set(account, { hasSecondFactor: true });
    },
  };
}

function userOf({ id, email, name, role, clientId, teamRole }: User): User {
  return { id, email, name, role, clientId, teamRole };
}

function teamRoleOf(to: NewRole): User['teamRole'] {
  return to.role === 'client' ? to.teamRole : null;
}
