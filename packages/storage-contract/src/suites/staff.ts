import type { ManageStaff, NewUser, OneTimeLink, TeamRole, UserQuery } from '@countersign/domain/staff';
import { expect } from 'vitest';
import { expectCount } from '../records/count.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** The subject of the cases: an implementation of `ManageStaff`, and the actions of its users. */
export interface StaffSubject {
  /** Returns an instance on the same users. Where the implementation can, each call returns another instance. */
  instance(): ManageStaff;
  now(): Date;
  /** Moves the clock of every instance forward. */
  elapse(milliseconds: number): Promise<void>;
  /** Uses a one-time link to set a password. Returns whether the link worked. */
  join(link: OneTimeLink): Promise<boolean>;
  /** Sets up a second factor for a user who has joined. */
  addSecondFactor(userId: string): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const ROUNDS = 8;
const KEEP = { keepOwner: true };
const FREE = { keepOwner: false };
const ANN: NewUser = { email: 'ann@example.com', name: 'Ann', role: 'reviewer' };
/** Untrusted ids, which must find no user and break no statement. */
const ODD_IDS = ['', 'nobody', ' ', 'x\u0000', '\ud800', "' or 1=1 --", 'ann@example.com'];

const ALL_USERS: UserQuery = { emailPrefix: '', after: undefined, limit: 100, countUpTo: 1_000 };

const anotherUser = (name: string): NewUser => ({ email: `${name}@example.com`, name, role: 'reviewer' });

const toTeam = (teamRole: TeamRole) => ({ role: 'client', teamRole }) as const;

async function created(staff: ManageStaff, input: NewUser): Promise<OneTimeLink> {
  const result = await staff.create(input);
  if (result.outcome !== 'created') throw new Error(`${input.email} has a user`);
  return result;
}

/** Creates a user of a client's team. Returns its id. */
async function invited(subject: StaffSubject, name: string, teamRole: TeamRole, clientId = 'c1'): Promise<string> {
  const input = { email: `${name}@example.com`, name, clientId, ...toTeam(teamRole) };
  return (await created(subject.instance(), input)).user.id;
}

/** Creates a user of a client's team, who joins. Returns its id. */
async function joined(subject: StaffSubject, name: string, teamRole: TeamRole, clientId = 'c1'): Promise<string> {
  const input = { email: `${name}@example.com`, name, clientId, ...toTeam(teamRole) };
  const link = await created(subject.instance(), input);
  expect(await subject.join(link)).toBe(true);
  return link.user.id;
}

async function ownersOf(subject: StaffSubject, clientId: string): Promise<number> {
  const team = await subject.instance().list({ clientId });
  return team.filter(({ teamRole }) => teamRole === 'owner').length;
}

const instanceOf = async (subject: StaffSubject): Promise<ManageStaff> => subject.instance();

const usersSuite: Suite<StaffSubject> = suiteGiven('users', instanceOf, {
  'a new user is found by id and by e-mail address in any case': async (subject, staff) => {
    const { user } = await created(staff, { email: ' Ann@Example.com ', role: 'reviewer' });

    expect(user).toEqual({
      id: expect.any(String) as string,
      email: 'ann@example.com',
      name: 'ann',
      role: 'reviewer',
      clientId: null,
      teamRole: null,
    });
    expect(await subject.instance().find(user.id)).toEqual(user);
    expect(await staff.findByEmail(' ANN@example.com ')).toEqual(user);
    expect(await staff.findByEmail('bob@example.com')).toBeNull();
  },

  'a new user gets the id that was chosen, and an existing one keeps theirs': async (subject, staff) => {
    const [id, other] = ['018f6f2e-0000-7000-8000-00000000000a', '018f6f2e-0000-7000-8000-00000000000b'];
    const made = await staff.create(ANN, { id, locale: 'de' });
    expect(made).toMatchObject({ outcome: 'created', user: { id } });
    expect(await subject.instance().find(id)).toEqual(made.user);

    const again = await staff.create(ANN, { id: other });
    expect(again).toMatchObject({ outcome: 'exists', existing: { id }, user: { id: other } });
    expect(await staff.find(other)).toBeNull();
  },

  'staff of a client are owners of its team by default': async (subject) => {
    const input: NewUser = { email: 'ann@example.com', role: 'client', clientId: 'c1' };
    const { user } = await created(subject.instance(), input);

    expect(user).toMatchObject({ role: 'client', clientId: 'c1', teamRole: 'owner' });
  },

  'of several calls at once with one e-mail address, one creates a user': async (subject) => {
    const emails = ['ann@example.com', 'ANN@example.com', ' Ann@Example.com'];
    const results = await Promise.all(
      emails.map((email) => subject.instance().create({ email, role: 'operator' })),
    );

    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['created', 'exists', 'exists']);
    expectCount(await subject.instance().list(), 1);
  },

  'an e-mail address that has an account changes nothing, and gets a link of the same form that never works':
    async (subject) => {
      const staff = subject.instance();
      const input: NewUser = { email: 'ann@example.com', role: 'client', clientId: 'c1' };
      const made = await created(staff, input);
      const before = await staff.list();
      const again = await staff.create({ ...input, clientId: 'c2', name: 'Ann Other' });
      if (again.outcome !== 'exists') throw new Error(again.outcome);

      expect(again.existing).toEqual(made.user);
      expect(again.user).toEqual({
        ...made.user,
        id: expect.any(String) as string,
        clientId: 'c2',
        name: 'Ann Other',
      });
      expect(again.user.id).not.toBe(made.user.id);
      expect(again.expiresAt.getTime() - made.expiresAt.getTime()).toBeLessThan(60_000);
      expect(again.invitationPath.split('/').slice(0, -1)).toEqual(made.invitationPath.split('/').slice(0, -1));
      expect(again.invitationPath).not.toBe(made.invitationPath);
      expect(await staff.list()).toEqual(before);
      expect(await staff.find(again.user.id)).toBeNull();
    },

  'bad input is refused with an issue for each field, and creates nothing': async (_, staff) => {
    const bad: [input: object, path: string][] = [
      [{ email: 'ann' }, 'email'],
      [{ name: 'two\nlines' }, 'name'],
      [{ role: 'owner' }, 'role'],
      [{ role: 'client' }, 'clientId'],
      [{ clientId: 'c1' }, 'clientId'],
      [{ teamRole: 'owner' }, 'teamRole'],
      [{ role: 'client', clientId: 'c1', teamRole: 'admin' }, 'teamRole'],
    ];
    for (const [change, path] of bad) {
      await expect(staff.create({ ...ANN, ...change })).rejects.toMatchObject({
        code: 'INVALID_PARAMETERS',
        data: { issues: [{ path }] },
      });
    }
    expect(await staff.list()).toEqual([]);
  },

  'the list shows users oldest first, with links, passwords and second factors': async (subject, staff) => {
    const bob = await created(staff, { email: 'bob@example.com', role: 'operator' });
    const bobCreatedAt = subject.now();
    await subject.elapse(1_000);
    const ann = await created(staff, ANN);
    const annCreatedAt = subject.now();
    const absent = { invitedUntil: null, hasJoined: false, hasSecondFactor: false };

    expect(await staff.list()).toEqual([
      { ...bob.user, ...absent, createdAt: bobCreatedAt, invitedUntil: new Date(bobCreatedAt.getTime() + DAY_MS) },
      { ...ann.user, ...absent, createdAt: annCreatedAt, invitedUntil: new Date(annCreatedAt.getTime() + DAY_MS) },
    ]);
    expect(await subject.join(ann)).toBe(true);
    expect((await staff.list())[1]).toMatchObject({ ...absent, hasJoined: true });
    await subject.addSecondFactor(ann.user.id);
    expect((await staff.list())[1]).toMatchObject({ ...absent, hasJoined: true, hasSecondFactor: true });
    await subject.elapse(DAY_MS);
    expect((await staff.list())[0]).toMatchObject(absent);
  },

  'the list of a client shows its team only': async (subject, staff) => {
    await invited(subject, 'ann', 'owner');
    await invited(subject, 'bob', 'owner', 'c2');
    await invited(subject, 'cleo', 'viewer');
    await created(staff, { email: 'dan@example.com', role: 'reviewer' });
    const namesOf = async (clientId: string) => (await staff.list({ clientId })).map(({ name }) => name).sort();

    expect(await namesOf('c1')).toEqual(['ann', 'cleo']);
    expect(await namesOf('c2')).toEqual(['bob']);
    for (const clientId of ['c3', '', 'c%', 'c1\u0000', '\ud800']) expect(await namesOf(clientId)).toEqual([]);
  },

  'a search finds the start of an e-mail address, by address, and counts all matches': async (_, staff) => {
    for (const name of ['cleo', 'ann2', 'a_n', 'ann1', 'bob']) await created(staff, anotherUser(name));
    const found = async (given: Partial<UserQuery>) => {
      const { users, totalCount } = await staff.search({ ...ALL_USERS, ...given });
      return { names: users.map(({ email }) => email.split('@')[0]), totalCount };
    };

    expect(await found({ emailPrefix: 'ann' })).toEqual({ names: ['ann1', 'ann2'], totalCount: 2 });
    expect(await found({ emailPrefix: 'a_' })).toEqual({ names: ['a_n'], totalCount: 1 });
    for (const emailPrefix of ['a%', 'example', 'ANN', 'x\u0000', '\ud800']) {
      expect(await found({ emailPrefix })).toEqual({ names: [], totalCount: 0 });
    }
    const { totalCount } = await found({ countUpTo: 2, limit: 1 });
    expect(totalCount).toBeGreaterThan(2);
  },

  'pages of a search contain every user once, with links, passwords and second factors': async (
    subject,
    staff,
  ) => {
    for (const name of ['dan', 'bob', 'cleo']) await created(staff, anotherUser(name));
    await subject.elapse(1_000);
    const ann = await created(staff, ANN);
    expect(await subject.join(ann)).toBe(true);
    await subject.addSecondFactor(ann.user.id);

    const first = await staff.search({ ...ALL_USERS, limit: 3 });
    const second = await staff.search({ ...ALL_USERS, after: 'cleo@example.com', limit: 3 });

    expect(first.users.map(({ name }) => name)).toEqual(['Ann', 'bob', 'cleo']);
    expect(second.users.map(({ name }) => name)).toEqual(['dan']);
    expect([first.totalCount, second.totalCount]).toEqual([4, 4]);
    const all = await staff.list();
    for (const user of [...first.users, ...second.users]) expect(all).toContainEqual(user);
  },

  'untrusted ids find no user and change none': async (_, staff) => {
    await created(staff, ANN);
    const before = await staff.list();

    for (const id of ODD_IDS) {
      expect(await staff.find(id)).toBeNull();
      expect(await staff.invite(id)).toBeNull();
      expect(await staff.resetSecondFactor(id)).toBeNull();
      expect(await staff.changeRole(id, { role: 'operator' }, FREE)).toEqual({ outcome: 'not_found' });
      expect(await staff.remove(id, FREE)).toEqual({ outcome: 'not_found' });
    }
    for (const email of ['', 'x\u0000', '\ud800']) expect(await staff.findByEmail(email)).toBeNull();
    expect(await staff.list()).toEqual(before);
  },

  'a one-time link works once, for a day': async (subject, staff) => {
    const [ann, late] = [await created(staff, ANN), await created(staff, { ...ANN, email: 'bob@example.com' })];

    expect(ann.expiresAt).toEqual(new Date(subject.now().getTime() + DAY_MS));
    expect(ann.invitationPath).not.toBe(late.invitationPath);
    expect(await subject.join(ann)).toBe(true);
    expect(await subject.join(ann)).toBe(false);
    await subject.elapse(DAY_MS);
    expect(await subject.join(late)).toBe(false);
  },

  'a new one-time link ends the earlier one': async (subject, staff) => {
    const first = await created(staff, ANN);
    await subject.elapse(1_000);
    const second = await staff.invite(first.user.id);
    if (second === null) throw new Error('the user is not found');

    expect(second.user).toEqual(first.user);
    expect(second.expiresAt).toEqual(new Date(subject.now().getTime() + DAY_MS));
    expect((await staff.list())[0]?.invitedUntil).toEqual(second.expiresAt);
    expect(await subject.join(first)).toBe(false);
    expect(await subject.join(second)).toBe(true);
  },

  'a second factor is reset, and the user stays': async (subject, staff) => {
    const link = await created(staff, ANN);
    await subject.join(link);
    await subject.addSecondFactor(link.user.id);

    expect(await staff.resetSecondFactor(link.user.id)).toEqual(link.user);
    expect(await staff.list()).toMatchObject([{ ...link.user, hasJoined: true, hasSecondFactor: false }]);
  },

  'a removed user is gone, with the one-time link, and the e-mail address is free': async (subject, staff) => {
    const link = await created(staff, ANN);
    await created(staff, { ...ANN, email: 'bob@example.com' });

    expect(await staff.remove(link.user.id, KEEP)).toEqual({ outcome: 'removed', user: link.user });
    expect(await staff.remove(link.user.id, KEEP)).toEqual({ outcome: 'not_found' });
    expect(await staff.find(link.user.id)).toBeNull();
    expect(await staff.findByEmail(ANN.email)).toBeNull();
    expect(await subject.join(link)).toBe(false);
    expectCount(await staff.list(), 1);
    expect((await created(staff, ANN)).user.id).not.toBe(link.user.id);
  },
});

const teamsSuite: Suite<StaffSubject> = suiteGiven('teams', instanceOf, {
  'a user gets another role in the team or in the service': async (subject, staff) => {
    const [ann, bob] = [(await created(staff, ANN)).user, await invited(subject, 'bob', 'owner')];

    expect(await staff.changeRole(ann.id, { role: 'operator' }, KEEP)).toEqual({ outcome: 'changed' });
    expect(await staff.changeRole(bob, toTeam('viewer'), FREE)).toEqual({ outcome: 'changed' });
    expect(await subject.instance().find(ann.id)).toEqual({ ...ann, role: 'operator' });
    expect(await subject.instance().find(bob)).toMatchObject({ clientId: 'c1', ...toTeam('viewer') });
  },

  'staff of a client never become reviewers or operators, nor the reverse': async (subject, staff) => {
    const [ann, bob] = [(await created(staff, ANN)).user.id, await invited(subject, 'bob', 'agent')];
    const before = await staff.list();

    expect(await staff.changeRole(ann, toTeam('owner'), FREE)).toEqual({ outcome: 'other_kind' });
    expect(await staff.changeRole(bob, { role: 'reviewer' }, FREE)).toEqual({ outcome: 'other_kind' });
    expect(await staff.changeRole(bob, { role: 'operator' }, FREE)).toEqual({ outcome: 'other_kind' });
    expect(await staff.list()).toEqual(before);
  },

  'the last owner of a team is neither demoted nor removed with keepOwner': async (subject, staff) => {
    const [ann, bob] = [await joined(subject, 'ann', 'owner'), await joined(subject, 'bob', 'agent')];

    expect(await staff.changeRole(ann, toTeam('agent'), KEEP)).toEqual({ outcome: 'last_owner' });
    expect(await staff.remove(ann, KEEP)).toEqual({ outcome: 'last_owner' });
    expect(await staff.find(ann)).toMatchObject({ teamRole: 'owner' });
    expect(await staff.changeRole(ann, toTeam('owner'), KEEP)).toEqual({ outcome: 'changed' });
    expect(await staff.changeRole(bob, toTeam('owner'), KEEP)).toEqual({ outcome: 'changed' });
    expect(await staff.changeRole(ann, toTeam('agent'), KEEP)).toEqual({ outcome: 'changed' });
    expect(await staff.remove(ann, KEEP)).toMatchObject({ outcome: 'removed' });
    expect(await staff.remove(bob, KEEP)).toEqual({ outcome: 'last_owner' });
  },

  'the last owner is demoted or removed without keepOwner': async (subject, staff) => {
    const [ann, bob] = [await joined(subject, 'ann', 'owner'), await joined(subject, 'bob', 'owner', 'c2')];

    expect(await staff.changeRole(ann, toTeam('viewer'), FREE)).toEqual({ outcome: 'changed' });
    expect(await staff.remove(bob, FREE)).toMatchObject({ outcome: 'removed' });
    expect([await ownersOf(subject, 'c1'), await ownersOf(subject, 'c2')]).toEqual([0, 0]);
  },

  'owners of other clients and owners who have not joined do not count': async (subject, staff) => {
    await joined(subject, 'dan', 'owner', 'c2');
    const [ann, bob] = [await joined(subject, 'ann', 'owner'), await invited(subject, 'bob', 'owner')];

    expect(await staff.remove(ann, KEEP)).toEqual({ outcome: 'last_owner' });
    expect(await staff.changeRole(ann, toTeam('agent'), KEEP)).toEqual({ outcome: 'last_owner' });
    expect(await staff.remove(bob, KEEP)).toMatchObject({ outcome: 'removed' });
  },

  'all invited owners count where none has joined': async (subject, staff) => {
    const [ann, bob] = [await invited(subject, 'ann', 'owner'), await invited(subject, 'bob', 'owner')];

    expect(await staff.remove(ann, KEEP)).toMatchObject({ outcome: 'removed' });
    expect(await staff.remove(bob, KEEP)).toEqual({ outcome: 'last_owner' });
  },

  'of two owners who demote and remove each other at once, one succeeds': async (subject) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const clientId = `client-${round}`;
      const one = await invited(subject, `one-${round}`, 'owner', clientId);
      const two = await invited(subject, `two-${round}`, 'owner', clientId);
      const results = await Promise.all([
        subject.instance().remove(one, KEEP),
        subject.instance().changeRole(two, toTeam('agent'), KEEP),
      ]);

      expectCount(
        results.filter(({ outcome }) => outcome === 'last_owner'),
        1,
      );
      expect(await ownersOf(subject, clientId)).toBe(1);
    }
  },

  'a team whose owners all leave at the same time keeps one of them': async (subject) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const clientId = `client-${round}`;
      const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${letter}${round}`);
      const ids = await Promise.all(names.map((name) => invited(subject, name, 'owner', clientId)));
      const results = await Promise.all(
        ids.map((id, index) =>
          index % 2 === 0
            ? subject.instance().remove(id, KEEP)
            : subject.instance().changeRole(id, toTeam('agent'), KEEP),
        ),
      );

      expectCount(
        results.filter(({ outcome }) => outcome === 'last_owner'),
        1,
      );
      expect(await ownersOf(subject, clientId)).toBe(1);
    }
  },

  'a team keeps an owner while one is promoted, demoted and removed at the same time': async (subject) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const clientId = `client-${round}`;
      const owner = await joined(subject, `owner-${round}`, 'owner', clientId);
      const agent = await joined(subject, `agent-${round}`, 'agent', clientId);
      await Promise.all([
        subject.instance().changeRole(agent, toTeam('owner'), KEEP),
        subject.instance().changeRole(owner, toTeam('agent'), KEEP),
        subject.instance().remove(agent, KEEP),
      ]);

      expect(await ownersOf(subject, clientId)).toBeGreaterThan(0);
    }
  },
});

/** The whole contract of `ManageStaff`. */
export const STAFF_SUITES: readonly Suite<StaffSubject>[] = [usersSuite, teamsSuite];
