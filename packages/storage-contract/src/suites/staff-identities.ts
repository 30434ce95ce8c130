import type { IdentityKey, IdentityUse, ManageStaff, NewUser, OneTimeLink } from '@countersign/domain/staff';
import { expect } from 'vitest';
import { type Suite, suiteGiven } from '../suite.ts';
import type { StaffSubject } from './staff.ts';

const ANN: NewUser = { email: 'ann@example.com', name: 'Ann', role: 'client', clientId: 'c1', teamRole: 'owner' };
const KEY: IdentityKey = { issuer: 'https://login.example', subject: 'ann' };
const ODD_KEYS: readonly IdentityKey[] = [
  { issuer: '', subject: '' },
  { ...KEY, subject: 'x\u0000' },
  { ...KEY, issuer: '\ud800' },
];
const FREE = { keepOwner: false };
const VERIFIED = { emailVerified: true };
const EVERY_WAY = { passwords: true, issuers: [KEY.issuer] };

async function created(staff: ManageStaff, input: NewUser): Promise<OneTimeLink> {
  const result = await staff.create(input);
  if (result.outcome !== 'created') throw new Error(`${input.email} has a user`);
  return result;
}

const proofOf = ({ invitationPath }: OneTimeLink) =>
  ({ kind: 'token', token: invitationPath.split('/').at(-1) ?? '' }) as const;
const BY_EMAIL = { kind: 'email' } as const;
const BY_SESSION = { kind: 'session' } as const;

const useOf = (userId: string, change: Partial<IdentityUse> = {}): IdentityUse => ({
  userId,
  key: KEY,
  withdrawnAt: null,
  endPassword: false,
  ...change,
});

const stateOf = async (staff: ManageStaff, userId: string): Promise<boolean | undefined> =>
  (await staff.list()).find(({ id }) => id === userId)?.hasJoined;

/** The contract of `ManageStaff.identities`. */
export const identitiesSuite: Suite<StaffSubject> = suiteGiven(
  'identities',
  async (subject: StaffSubject): Promise<ManageStaff> => subject.instance(),
  {
    'an identity is connected by a one-time link, which it uses up: the user has joined': async (
      subject,
      staff,
    ) => {
      const link = await created(staff, ANN);
      const { id } = link.user;
      expect(await staff.identities.find(KEY)).toBeNull();
      expect(await staff.identities.connect(id, KEY, proofOf(link))).toEqual({ outcome: 'connected' });
      const { identities } = subject.instance();
      expect(await identities.find(KEY)).toEqual({ user: link.user, withdrawnAt: null });
      expect(await identities.issuersOf(id)).toEqual([KEY.issuer]);
      expect(await stateOf(staff, id)).toBe(true);
      expect(await subject.join(link)).toBe(false);
      const another = { ...KEY, issuer: 'https://other.example' };
      expect(await identities.connect(id, another, proofOf(link))).toEqual({ outcome: 'refused' });
    },

    'a link that has expired, was replaced or is of another user connects nothing': async (subject, staff) => {
      const [ann, bob] = [await created(staff, ANN), await created(staff, { ...ANN, email: 'bob@example.com' })];
      const { connect } = staff.identities;
      expect(await connect(ann.user.id, KEY, proofOf(bob))).toEqual({ outcome: 'refused' });
      expect(await connect(ann.user.id, KEY, { kind: 'token', token: 'invented' })).toEqual({
        outcome: 'refused',
      });
      expect(await connect(ann.user.id, KEY, { kind: 'mark', mark: 'invented' })).toEqual({ outcome: 'refused' });
      await subject.elapse(24 * 60 * 60 * 1_000);
      expect(await connect(ann.user.id, KEY, proofOf(ann))).toEqual({ outcome: 'refused' });
      expect(await staff.identities.find(KEY)).toBeNull();
    },

    'an identity has one user, and a user one identity at an issuer': async (_, staff) => {
      const [ann, bob] = [await created(staff, ANN), await created(staff, { ...ANN, email: 'bob@example.com' })];
      const { connect, issuersOf } = staff.identities;
      const other = { ...KEY, issuer: 'https://other.example' };
      expect(await connect(ann.user.id, KEY, BY_EMAIL)).toEqual({ outcome: 'connected' });
      expect(await connect(ann.user.id, KEY, BY_EMAIL)).toEqual({ outcome: 'connected' });
      expect(await connect(bob.user.id, KEY, BY_EMAIL)).toEqual({ outcome: 'taken' });
      expect(await connect(bob.user.id, KEY, proofOf(bob))).toEqual({ outcome: 'taken' });
      expect(await connect(ann.user.id, { ...KEY, subject: 'ann2' }, BY_EMAIL)).toEqual({ outcome: 'taken' });
      expect(await connect(ann.user.id, other, BY_EMAIL)).toEqual({ outcome: 'connected' });
      expect(await issuersOf(ann.user.id)).toEqual([KEY.issuer, other.issuer]);
      expect(await issuersOf(bob.user.id)).toEqual([]);
      // A refused call uses no link up.
      expect(await connect(bob.user.id, { ...KEY, subject: 'bob' }, proofOf(bob))).toEqual({
        outcome: 'connected',
      });
    },

    'of several calls at once with one identity, one connects it': async (subject, staff) => {
      const links = [];
      for (const name of ['a', 'b', 'c', 'd']) {
        links.push(await created(staff, { ...ANN, email: `${name}@example.com` }));
      }
      const results = await Promise.all(
        links.map((link) => subject.instance().identities.connect(link.user.id, KEY, proofOf(link))),
      );
      expect(results.map(({ outcome }) => outcome).sort()).toEqual(['connected', 'taken', 'taken', 'taken']);
    },

    'of several calls at once with one link, one connects': async (subject, staff) => {
      const link = await created(staff, ANN);
      const issuers = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example`);
      const results = await Promise.all(
        issuers.map((issuer) =>
          subject.instance().identities.connect(link.user.id, { ...KEY, issuer }, proofOf(link)),
        ),
      );
      expect(results.map(({ outcome }) => outcome).sort()).toEqual(['connected', 'refused', 'refused', 'refused']);
    },

    'a user is created with an identity, once for an e-mail address and for an identity': async (
      subject,
      staff,
    ) => {
      const made = await staff.identities.provision({ ...ANN, email: ' Ann@Example.com ' }, KEY, VERIFIED);
      if (made.outcome !== 'created') throw new Error(made.outcome);
      expect(made.user).toMatchObject({
        email: 'ann@example.com',
        role: 'client',
        clientId: 'c1',
        teamRole: 'owner',
      });
      expect(await subject.instance().identities.find(KEY)).toEqual({ user: made.user, withdrawnAt: null });
      expect(await stateOf(staff, made.user.id)).toBe(true);
      const { provision } = staff.identities;
      expect(await provision(ANN, { ...KEY, subject: 'b' }, VERIFIED)).toEqual({ outcome: 'exists' });
      expect(await provision({ ...ANN, email: 'bob@example.com' }, KEY, VERIFIED)).toEqual({ outcome: 'exists' });
      await expect(provision({ ...ANN, email: 'x' }, { ...KEY, subject: 'c' }, VERIFIED)).rejects.toMatchObject({
        code: 'INVALID_PARAMETERS',
      });
      expect(await staff.list()).toHaveLength(1);
    },

    'an address that the provider did not verify counts as verified once a link is made for the user': async (
      subject,
      staff,
    ) => {
      const { provision, hasUnverifiedEmail, connect } = staff.identities;
      const other = { ...KEY, subject: 'bob' };
      const ann = await provision(ANN, KEY, { emailVerified: false });
      const bob = await provision({ ...ANN, email: 'bob@example.com' }, other, VERIFIED);
      const eve = await created(staff, { ...ANN, email: 'eve@example.com' });
      await connect(eve.user.id, { ...KEY, subject: 'eve' }, BY_EMAIL);
      if (ann.outcome !== 'created' || bob.outcome !== 'created') throw new Error('not created');
      for (const { id } of [bob.user, eve.user]) expect(await hasUnverifiedEmail(id)).toBe(false);
      expect(await subject.instance().identities.hasUnverifiedEmail(ann.user.id)).toBe(true);
      await staff.invite(bob.user.id);
      expect(await hasUnverifiedEmail(ann.user.id)).toBe(true);
      await staff.invite(ann.user.id);
      expect(await hasUnverifiedEmail(ann.user.id)).toBe(false);
    },

    'of several sign-ins at once, one creates the user': async (subject, staff) => {
      const results = await Promise.all(
        [1, 2, 3].map(() => subject.instance().identities.provision(ANN, KEY, VERIFIED)),
      );
      expect(results.map(({ outcome }) => outcome).sort()).toEqual(['created', 'exists', 'exists']);
      expect(await staff.list()).toHaveLength(1);
    },

    'access that the provider withdraws ends links and password, and comes back with the next use': async (
      subject,
      staff,
    ) => {
      const link = await created(staff, ANN);
      const { id } = link.user;
      expect(await subject.join(link)).toBe(true);
      await staff.identities.connect(id, KEY, BY_EMAIL);
      const again = await staff.invite(id);
      await staff.identities.withdraw(id);
      const { withdrawnAt = null } = (await staff.identities.find(KEY)) ?? {};
      expect(withdrawnAt).toBeInstanceOf(Date);
      expect(await staff.identities.issuersOf(id)).toEqual([]);
      expect(await stateOf(staff, id)).toBe(false);
      expect(again && (await subject.join(again))).toBe(false);
      expect(await staff.identities.recordUse(useOf(id, { withdrawnAt }))).toBe(true);
      expect(await subject.instance().identities.find(KEY)).toEqual({ user: link.user, withdrawnAt: null });
      expect(await stateOf(staff, id)).toBe(true);
    },

    'a use undoes no withdrawal and no disconnection since the identity was read': async (subject, staff) => {
      const [ann, bob] = [await created(staff, ANN), await created(staff, { ...ANN, email: 'bob@example.com' })];
      const { id } = ann.user;
      const { connect, find, recordUse, withdraw, disconnect } = staff.identities;
      await connect(id, KEY, BY_EMAIL);
      await withdraw(id);
      expect(await recordUse(useOf(id))).toBe(false);
      const { withdrawnAt = null } = (await find(KEY)) ?? {};
      await subject.elapse(1_000);
      await withdraw(id);
      expect(await recordUse(useOf(id, { withdrawnAt }))).toBe(false);
      expect((await find(KEY))?.withdrawnAt).not.toBeNull();
      await disconnect(id);
      expect(await recordUse(useOf(id))).toBe(false);
      await connect(bob.user.id, KEY, BY_EMAIL);
      expect(await recordUse(useOf(id))).toBe(false);
    },

    'an owner whose access is withdrawn is not the last owner who can sign in': async (_, staff) => {
      const [ann, bob] = [await created(staff, ANN), await created(staff, { ...ANN, email: 'bob@example.com' })];
      await staff.identities.connect(ann.user.id, KEY, BY_EMAIL);
      await staff.identities.connect(bob.user.id, { ...KEY, subject: 'bob' }, BY_EMAIL);
      await staff.identities.withdraw(bob.user.id);
      expect(await staff.remove(ann.user.id, { keepOwner: true })).toEqual({ outcome: 'last_owner' });
    },

    'identities are disconnected by an operator, and end with the user': async (_, staff) => {
      const { user } = await created(staff, ANN);
      await staff.identities.connect(user.id, KEY, BY_EMAIL);
      expect(await staff.identities.disconnect(user.id)).toEqual(user);
      expect(await staff.identities.find(KEY)).toBeNull();
      expect(await stateOf(staff, user.id)).toBe(false);
      await staff.identities.connect(user.id, KEY, BY_EMAIL);
      await staff.remove(user.id, FREE);
      expect(await staff.identities.find(KEY)).toBeNull();
    },

    'a mailed link that connected an identity connects none after the disconnection': async (_, staff) => {
      const { id } = (await created(staff, ANN)).user;
      const { connect, disconnect, withdraw, recordUse, find } = staff.identities;
      const byMail = { kind: 'mark', mark: null } as const;
      expect(await connect(id, KEY, byMail)).toEqual({ outcome: 'connected' });
      await disconnect(id);
      expect(await connect(id, KEY, byMail)).toEqual({ outcome: 'refused' });
      await connect(id, KEY, BY_EMAIL);
      await withdraw(id);
      const { withdrawnAt = null } = (await find(KEY)) ?? {};
      expect(await recordUse(useOf(id, { withdrawnAt }))).toBe(true);
      expect(await connect(id, KEY, byMail)).toEqual({ outcome: 'refused' });
    },

    'an identity that the user connects keeps password and sessions, until a link sets the password': async (
      subject,
      staff,
    ) => {
      const link = await created(staff, ANN);
      const { id } = link.user;
      await subject.join(link);
      const byEmail = { issuer: 'https://other.example', subject: 'ann' };
      expect(await staff.identities.connect(id, KEY, BY_SESSION)).toEqual({ outcome: 'connected' });
      expect(await staff.identities.connect(id, KEY, BY_SESSION)).toEqual({ outcome: 'connected' });
      expect(await staff.identities.connect(id, { ...KEY, subject: 'ann2' }, BY_SESSION)).toEqual({
        outcome: 'taken',
      });
      await staff.identities.connect(id, byEmail, BY_EMAIL);
      expect(await staff.identities.issuersOf(id)).toEqual([KEY.issuer, byEmail.issuer]);
      const again = await staff.invite(id);
      expect(again && (await subject.join(again))).toBe(true);
      expect(await staff.identities.issuersOf(id)).toEqual([byEmail.issuer]);
    },

    'an identity that the user connects stays where the new password is allowed for some time': async (
      subject,
      staff,
    ) => {
      const { id } = (await created(staff, ANN)).user;
      await staff.identities.connect(id, KEY, BY_SESSION);
      await staff.identities.allowPassword(id, 60_000);
      const link = await staff.invite(id);
      expect(link && (await subject.join(link))).toBe(true);
      expect(await staff.identities.issuersOf(id)).toEqual([KEY.issuer]);
    },

    'a user whose access is withdrawn connects nothing from a session': async (_, staff) => {
      const { id } = (await created(staff, ANN)).user;
      await staff.identities.connect(id, KEY, BY_EMAIL);
      await staff.identities.withdraw(id);
      const other = { ...KEY, issuer: 'https://other.example' };
      expect(await staff.identities.connect(id, other, BY_SESSION)).toEqual({ outcome: 'refused' });
      expect(await staff.identities.find(other)).toBeNull();
    },

    'a user disconnects one of two identities, and keeps the last way to sign in': async (subject, staff) => {
      const { id } = (await created(staff, ANN)).user;
      const other = { issuer: 'https://other.example', subject: 'ann' };
      await staff.identities.connect(id, KEY, BY_EMAIL);
      await staff.identities.connect(id, other, BY_EMAIL);
      const accepted = { passwords: true, issuers: [KEY.issuer, other.issuer] };
      const results = await Promise.all(
        [KEY, other].map(({ issuer }) => subject.instance().identities.disconnectOne(id, issuer, accepted)),
      );
      expect(results.map(({ outcome }) => outcome).sort()).toEqual(['disconnected', 'last_way']);
      expect(await staff.identities.issuersOf(id)).toHaveLength(1);
    },

    'a password counts as a way to sign in where the role may use it, an identity where its provider is set up':
      async (subject, staff) => {
        const link = await created(staff, ANN);
        const { id } = link.user;
        await subject.join(link);
        const other = { issuer: 'https://other.example', subject: 'ann' };
        await staff.identities.connect(id, KEY, BY_EMAIL);
        await staff.identities.connect(id, other, BY_EMAIL);
        const disconnect = (passwords: boolean, issuer = KEY.issuer) =>
          staff.identities.disconnectOne(id, issuer, { passwords, issuers: [KEY.issuer] });
        expect(await disconnect(false)).toEqual({ outcome: 'last_way' });
        expect(await staff.identities.issuersOf(id)).toEqual([KEY.issuer, other.issuer]);
        expect(await disconnect(true)).toEqual({ outcome: 'disconnected' });
        expect(await disconnect(true)).toEqual({ outcome: 'not_found' });
        expect(await staff.identities.issuersOf(id)).toEqual([other.issuer]);
        expect(await staff.identities.find(KEY)).toBeNull();
        await staff.identities.withdraw(id);
        expect(await disconnect(true, other.issuer)).toEqual({ outcome: 'not_found' });
      },

    'a password is allowed for some time, and not ended by a use meanwhile': async (subject, staff) => {
      const link = await created(staff, ANN);
      const { id } = link.user;
      await subject.join(link);
      await staff.identities.connect(id, KEY, BY_EMAIL);
      expect(await staff.identities.isPasswordAllowed(id)).toBe(false);
      expect(await staff.identities.allowPassword(id, 60_000)).toEqual(link.user);
      expect(await subject.instance().identities.isPasswordAllowed(id)).toBe(true);
      expect(await staff.identities.recordUse(useOf(id, { endPassword: true }))).toBe(true);
      await staff.identities.disconnect(id);
      expect(await stateOf(staff, id)).toBe(true);
      await staff.identities.connect(id, KEY, BY_EMAIL);
      await subject.elapse(60_000);
      expect(await staff.identities.isPasswordAllowed(id)).toBe(false);
      expect(await staff.identities.recordUse(useOf(id, { endPassword: true }))).toBe(true);
      await staff.identities.disconnect(id);
      expect(await stateOf(staff, id)).toBe(false);
    },

    'untrusted ids and keys find no user and change none': async (_, staff) => {
      const { user } = await created(staff, ANN);
      const { identities } = staff;
      const before = await staff.list();
      for (const key of ODD_KEYS) {
        expect(await identities.find(key)).toBeNull();
        expect((await identities.connect(user.id, key, BY_EMAIL)).outcome).toBe('refused');
        expect((await identities.provision({ ...ANN, email: 'b@example.com' }, key, VERIFIED)).outcome).toBe(
          'exists',
        );
        expect(await identities.recordUse(useOf(user.id, { key, endPassword: true }))).toBe(false);
        expect((await identities.disconnectOne(user.id, key.issuer, EVERY_WAY)).outcome).toBe('not_found');
      }
      for (const id of ['', 'unknown', 'x\u0000', '\ud800', "' or 1=1 --"]) {
        expect((await identities.connect(id, KEY, BY_EMAIL)).outcome).toBe('refused');
        expect(await identities.issuersOf(id)).toEqual([]);
        expect(await identities.disconnect(id)).toBeNull();
        expect((await identities.disconnectOne(id, KEY.issuer, EVERY_WAY)).outcome).toBe('not_found');
        expect(await identities.allowPassword(id, 1_000)).toBeNull();
        expect(await identities.isPasswordAllowed(id)).toBe(false);
        expect(await identities.hasUnverifiedEmail(id)).toBe(false);
        await identities.withdraw(id);
        expect(await identities.recordUse(useOf(id))).toBe(false);
      }
      expect(await staff.list()).toEqual(before);
    },
  },
);
