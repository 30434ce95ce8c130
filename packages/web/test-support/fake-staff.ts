import { CountersignError, type ManageStaff, type OneTimeLink, type User } from '@countersign/domain';
import type { FakeAccount, FakePeople } from './fake-people.ts';

/** Staff in memory, by the rules of `ManageStaff`. `ended` ends every session of somebody. */
export function createFakeStaff(people: FakePeople, ended: (userId: string) => void): ManageStaff {
  const { accounts } = people;

  function link(user: User): OneTimeLink {
    const { token, expiresAt } = people.newLink(user.id);
    return { user, invitationPath: `/account/welcome/${token}`, expiresAt };
  }

  const withEmail = (email: string): FakeAccount | undefined =>
    [...accounts.values()].find(({ user }) => user.email === email.trim().toLowerCase());

  /** Whether a client would be without an owner; those who have not joined count where nobody has. */
  function isLastOwner({ user }: FakeAccount): boolean {
    if (user.teamRole !== 'owner') return false;
    const owners = [...accounts.values()].filter(
      (other) => other.user.clientId === user.clientId && other.user.teamRole === 'owner',
    );
    const joined = owners.filter(({ password }) => password !== null);
    const counted = joined.length > 0 ? joined : owners;
    return counted.length === 1 && counted[0]?.user.id === user.id;
  }

  return {
    async create({ role, clientId, teamRole, ...input }) {
      const email = input.email.trim().toLowerCase();
      if (!email.includes('@')) {
        const issues = [{ path: 'email', message: 'must be an e-mail address', code: 'not_an_email' as const }];
        throw new CountersignError('INVALID_PARAMETERS', 'The user cannot be made', { data: { issues } });
      }
      if (withEmail(email) !== undefined) return { outcome: 'exists' };
      const name = input.name?.trim() || (email.split('@')[0] ?? '');
      const ofClient = role === 'client' ? { clientId: clientId ?? null, teamRole: teamRole ?? 'owner' } : null;
      const user = { id: people.next('staff'), email, name, role, clientId: null, teamRole: null, ...ofClient };
      people.add({ user, password: null, hasSecondFactor: false });
      return { outcome: 'created', ...link(user) };
    },

    find: async (userId) => accounts.get(userId)?.user ?? null,
    findByEmail: async (email) => withEmail(email)?.user ?? null,

    async list(of) {
      const all = [...accounts.values()].filter(({ user }) => of === undefined || user.clientId === of.clientId);
      return all.map(({ user, createdAt, password, hasSecondFactor }) => ({
        ...user,
        createdAt,
        invitedUntil: people.linkOf(user.id)?.expiresAt ?? null,
        hasJoined: password !== null,
        hasSecondFactor,
      }));
    },

    async invite(userId) {
      const account = accounts.get(userId);
      return account === undefined ? null : link(account.user);
    },

    async changeRole(userId, to, { keepOwner }) {
      const account = accounts.get(userId);
      if (account === undefined) return { outcome: 'not_found' };
      if ((account.user.role === 'client') !== (to.role === 'client')) return { outcome: 'other_kind' };
      const teamRole = to.role === 'client' ? to.teamRole : null;
      if (keepOwner && teamRole !== 'owner' && isLastOwner(account)) return { outcome: 'last_owner' };
      account.user = { ...account.user, role: to.role, teamRole };
      return { outcome: 'changed' };
    },

    async resetSecondFactor(userId) {
      const account = accounts.get(userId);
      if (account === undefined) return null;
      account.hasSecondFactor = false;
      ended(userId);
      return account.user;
    },

    async remove(userId, { keepOwner }) {
      const account = accounts.get(userId);
      if (account === undefined) return { outcome: 'not_found' };
      if (keepOwner && isLastOwner(account)) return { outcome: 'last_owner' };
      accounts.delete(userId);
      ended(userId);
      return { outcome: 'removed', user: account.user };
    },
  };
}
