import { CountersignError, type ManageStaff, type OneTimeLink, type User } from '@countersign/domain';
import type { FakeAccount, FakePeople } from './fake-people.ts';

/** Staff in memory, by the rules of `ManageStaff`. `ended` ends every session of somebody. */
export function createFakeStaff(people: FakePeople, ended: (memberId: string) => void): ManageStaff {
  const { accounts } = people;

  function link(member: User): OneTimeLink {
    const { token, expiresAt } = people.newLink(member.id);
    return { member, invitationPath: `/account/welcome/${token}`, expiresAt };
  }

  const withEmail = (email: string): FakeAccount | undefined =>
    [...accounts.values()].find(({ member }) => member.email === email.trim().toLowerCase());

  /** Whether a client would be without an owner; those who have not joined count where nobody has. */
  function isLastOwner({ member }: FakeAccount): boolean {
    if (member.teamRole !== 'owner') return false;
    const owners = [...accounts.values()].filter(
      (other) => other.member.clientId === member.clientId && other.member.teamRole === 'owner',
    );
    const joined = owners.filter(({ password }) => password !== null);
    const counted = joined.length > 0 ? joined : owners;
    return counted.length === 1 && counted[0]?.member.id === member.id;
  }

  return {
    async create({ role, clientId, teamRole, ...input }) {
      const email = input.email.trim().toLowerCase();
      if (!email.includes('@')) {
        const issues = [{ path: 'email', message: 'must be an e-mail address', code: 'not_an_email' as const }];
        throw new CountersignError('INVALID_PARAMETERS', 'The staff member cannot be made', { data: { issues } });
      }
      if (withEmail(email) !== undefined) return { outcome: 'exists' };
      const name = input.name?.trim() || (email.split('@')[0] ?? '');
      const ofClient = role === 'client' ? { clientId: clientId ?? null, teamRole: teamRole ?? 'owner' } : null;
      const member = { id: people.next('staff'), email, name, role, clientId: null, teamRole: null, ...ofClient };
      people.add({ member, password: null, hasSecondFactor: false });
      return { outcome: 'created', ...link(member) };
    },

    find: async (staffId) => accounts.get(staffId)?.member ?? null,
    findByEmail: async (email) => withEmail(email)?.member ?? null,

    async list(of) {
      const all = [...accounts.values()].filter(
        ({ member }) => of === undefined || member.clientId === of.clientId,
      );
      return all.map(({ member, createdAt, password, hasSecondFactor }) => ({
        ...member,
        createdAt,
        invitedUntil: people.linkOf(member.id)?.expiresAt ?? null,
        hasJoined: password !== null,
        hasSecondFactor,
      }));
    },

    async invite(staffId) {
      const account = accounts.get(staffId);
      return account === undefined ? null : link(account.member);
    },

    async changeRole(staffId, to, { keepOwner }) {
      const account = accounts.get(staffId);
      if (account === undefined) return { outcome: 'not_found' };
      if ((account.member.role === 'client') !== (to.role === 'client')) return { outcome: 'other_kind' };
      const teamRole = to.role === 'client' ? to.teamRole : null;
      if (keepOwner && teamRole !== 'owner' && isLastOwner(account)) return { outcome: 'last_owner' };
      account.member = { ...account.member, role: to.role, teamRole };
      return { outcome: 'changed' };
    },

    async resetSecondFactor(staffId) {
      const account = accounts.get(staffId);
      if (account === undefined) return null;
      account.hasSecondFactor = false;
      ended(staffId);
      return account.member;
    },

    async remove(staffId, { keepOwner }) {
      const account = accounts.get(staffId);
      if (account === undefined) return { outcome: 'not_found' };
      if (keepOwner && isLastOwner(account)) return { outcome: 'last_owner' };
      accounts.delete(staffId);
      ended(staffId);
      return { outcome: 'removed', member: account.member };
    },
  };
}
