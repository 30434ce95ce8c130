import type { ManageStaff, NewUser, OneTimeLink, User } from '@countersign/domain/staff';
import { expect } from 'vitest';
import { expectCount } from '../records/count.ts';
import { type Suite, suiteGiven } from '../suite.ts';
import type { StaffSubject } from './staff.ts';

const TEAM = 'c1';
const ANN: NewUser = { email: 'ann@example.com', name: 'Ann', role: 'reviewer' };
const INVITED: NewUser = {
  email: 'ann@example.com',
  name: 'Ann',
  role: 'client',
  clientId: TEAM,
  teamRole: 'agent',
};
const WITHHOLDS = { withholds: true };
const KEEP = { keepOwner: true };
const DAY_MS = 24 * 60 * 60 * 1_000;
const toTeam = (teamRole: 'owner' | 'viewer') => ({ role: 'client', teamRole }) as const;

/** Invites an address that has a user elsewhere. Returns that user, and the link that the team receives. */
async function withheld(staff: ManageStaff): Promise<{ readonly existing: User; readonly link: OneTimeLink }> {
  const made = await staff.create(ANN);
  if (made.outcome !== 'created') throw new Error('the address has a user');
  return { existing: made.user, link: await invitedBy(staff) };
}

async function invitedBy(staff: ManageStaff, input: NewUser = INVITED): Promise<OneTimeLink> {
  const { user, invitationPath, expiresAt } = await staff.create(input, WITHHOLDS);
  return { user, invitationPath, expiresAt };
}

/** The contract of withheld invitations (`ManageStaff.team`). */
export const withheldSuite: Suite<StaffSubject> = suiteGiven(
  'withheld invitations',
  async (subject: StaffSubject): Promise<ManageStaff> => subject.instance(),
  {
    "the team's list shows a withheld invitation as that of a user who has not joined": async (subject, staff) => {
      const { link } = await withheld(staff);
      const fresh = await invitedBy(staff, { ...INVITED, email: 'bob@example.com' });
      const shown = { createdAt: subject.now(), invitedUntil: new Date(subject.now().getTime() + DAY_MS) };
      const state = { hasJoined: false, hasSecondFactor: false };

      const team = await subject.instance().team(TEAM);
      expect(new Set(team.map(({ email }) => email))).toEqual(new Set(['ann@example.com', 'bob@example.com']));
      for (const { user } of [link, fresh])
        expect(team.find(({ id }) => id === user.id)).toEqual({ ...user, ...shown, ...state });
      expect(link.user).toMatchObject({ clientId: TEAM, role: 'client', teamRole: 'agent' });
      await subject.elapse(DAY_MS);
      expect((await staff.team(TEAM)).map(({ invitedUntil }) => invitedUntil)).toEqual([null, null]);
      for (const clientId of ['c2', '', 'c1\u0000', '\ud800']) expect(await staff.team(clientId)).toEqual([]);
    },

    'nothing else finds it: the address keeps its user': async (subject, staff) => {
      const { existing, link } = await withheld(staff);
      expect(await subject.join(link)).toBe(false);
      expect(await staff.find(link.user.id)).toBeNull();
      expect(await staff.findByEmail(existing.email)).toEqual(existing);
      expect(await staff.list({ clientId: TEAM })).toEqual([]);
      expect((await staff.list()).map(({ id }) => id)).toEqual([existing.id]);
      expect(await staff.resetSecondFactor(link.user.id)).toBeNull();
    },

    'it is renewed, changes its role and is removed like any other': async (subject, staff) => {
      const { existing, link } = await withheld(staff);
      const { id } = link.user;
      await subject.elapse(60_000);
      const again = await subject.instance().invite(id);
      expect(again).toMatchObject({ user: link.user, expiresAt: new Date(subject.now().getTime() + DAY_MS) });
      expect(again?.invitationPath).not.toBe(link.invitationPath);
      expect((await staff.team(TEAM))[0]?.invitedUntil).toEqual(again?.expiresAt);
      expect(again && (await subject.join(again))).toBe(false);

      expect(await staff.changeRole(id, toTeam('owner'), KEEP)).toEqual({ outcome: 'changed' });
      expect(await staff.changeRole(id, toTeam('viewer'), KEEP)).toEqual({ outcome: 'changed' });
      expect(await staff.team(TEAM)).toMatchObject([{ id, teamRole: 'viewer' }]);
      const removed = { outcome: 'removed', user: { ...link.user, teamRole: 'viewer' } };
      expect(await subject.instance().remove(id, KEEP)).toEqual(removed);
      expect(await staff.remove(id, KEEP)).toEqual({ outcome: 'not_found' });
      expect(await staff.invite(id)).toBeNull();
      expect(await staff.team(TEAM)).toEqual([]);
      expect(await staff.find(existing.id)).toEqual(existing);
    },

    'a team has one to an address, also once the user elsewhere is removed': async (_, staff) => {
      const { existing, link } = await withheld(staff);
      const again = async () => {
        const result = await staff.create(INVITED, WITHHOLDS);
        return result.outcome === 'exists' ? result.existing : result.outcome;
      };
      expect(await again()).toEqual(link.user);
      await staff.remove(existing.id, { keepOwner: false });
      expect(await again()).toEqual(link.user);
      const other = await staff.create({ ...INVITED, clientId: 'c2' }, WITHHOLDS);
      expect(other.outcome).toBe('created');
      expect(await staff.team(TEAM)).toHaveLength(1);
    },

    'of several calls at once for one team and address, one stores it': async (subject, staff) => {
      await staff.create(ANN);
      const results = await Promise.all([1, 2, 3, 4].map(() => subject.instance().create(INVITED, WITHHOLDS)));
      const elsewhere = results.filter((each) => each.outcome === 'exists' && each.existing.clientId === null);
      expectCount(elsewhere, 1);
      expectCount(await staff.team(TEAM), 1);
    },

    'it ends when the team gets the user, who does not bring it back': async (_, staff) => {
      const { existing } = await withheld(staff);
      const other = { ...INVITED, email: 'bob@example.com' };
      const bob = await staff.create({ ...ANN, email: other.email });
      await invitedBy(staff, other);
      if (bob.outcome !== 'created') throw new Error(bob.outcome);
      for (const { id } of [existing, bob.user]) await staff.remove(id, { keepOwner: false });

      const made = await staff.create(INVITED);
      const key = { issuer: 'https://login.example', subject: 'bob' };
      const provisioned = await staff.identities.provision(other, key, { emailVerified: true });
      if (made.outcome !== 'created' || provisioned.outcome !== 'created') throw new Error('not created');
      expect(new Set((await staff.team(TEAM)).map(({ id }) => id))).toEqual(
        new Set([made.user.id, provisioned.user.id]),
      );
      for (const { id } of [made.user, provisioned.user]) await staff.remove(id, { keepOwner: false });
      expect(await staff.team(TEAM)).toEqual([]);
    },

    'without the option, an address that has a user elsewhere changes nothing': async (_, staff) => {
      await staff.create(ANN);
      expect((await staff.create(INVITED)).outcome).toBe('exists');
      const second = { ...ANN, role: 'client', clientId: TEAM, email: 'dan@example.com' } as const;
      await staff.create(second);
      expect(await staff.create({ ...INVITED, email: second.email }, WITHHOLDS)).toMatchObject({
        outcome: 'exists',
        existing: { clientId: TEAM },
      });
      expect(await staff.team(TEAM)).toHaveLength(1);
    },
  },
);
