import { describe, expect, it } from 'vitest';
import type { ListedUser, ManageStaff } from './manage-staff.ts';
import {
  allowPassword,
  changeRole,
  createUser,
  disconnectProviders,
  inviteToTeam,
  inviteUser,
  removeUser,
  renewInvitation,
  searchUsers,
  type UserLinks,
} from './manage-users.ts';

const ANN: ListedUser = {
  id: 'ann',
  email: 'ann@example.com',
  name: 'Ann',
  role: 'client',
  clientId: 'client-1',
  teamRole: 'agent',
  createdAt: new Date(0),
  invitedUntil: null,
  hasJoined: false,
  hasSecondFactor: false,
};
const OPERATOR = { ownId: 'olga', clientId: null };

/** A storage with one user, who is removed by another call between any two calls. */
const staff: ManageStaff = {
  identities: {
    find: async () => null,
    issuersOf: async () => [],
    connect: async () => ({ outcome: 'refused' }),
    provision: async () => ({ outcome: 'exists' }),
    hasUnverifiedEmail: async () => false,
    recordUse: async () => true,
    withdraw: async () => undefined,
    disconnect: async () => null,
    allowPassword: async () => ANN,
    disconnectOne: async () => ({ outcome: 'not_found' }),
    isPasswordAllowed: async () => true,
  },
  create: async () => ({
    outcome: 'exists',
    existing: ANN,
    user: ANN,
    invitationPath: '/',
    expiresAt: new Date(0),
  }),
  find: async () => ANN,
  findByEmail: async () => ANN,
  team: async () => [ANN],
  list: async () => [ANN],
  search: async () => ({ users: [ANN], totalCount: 1 }),
  invite: async () => null,
  changeRole: async () => ({ outcome: 'other_kind' }),
  resetSecondFactor: async () => null,
  remove: async () => ({ outcome: 'not_found' }),
};

const userLinks: UserLinks = {
  mails: { isOn: false, queue: async () => undefined },
  recipients: undefined,
  newId: () => 'id',
};

const rateLimiter = {
  consume: async () => ({ allowed: true, limit: 1, remaining: 0, resetAt: new Date(0) }),
  giveBack: async () => undefined,
};

describe('a user who is removed meanwhile', () => {
  it('a user who is removed meanwhile is not found when their invitation is renewed', async () => {
    await expect(renewInvitation({ staff, rateLimiter, userLinks }, 'client-1', 'ann')).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    });
  });

  it('a user who is removed meanwhile is not found when a password is allowed or providers are disconnected', async () => {
    await expect(allowPassword(staff, 'ann')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await expect(disconnectProviders(staff, OPERATOR, 'ann')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
  });

  it('a user who is removed meanwhile is not found when they are removed a second time', async () => {
    await expect(removeUser(staff, OPERATOR, 'ann')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
  });

  it('a user who is removed meanwhile is not found when they get a link or another role', async () => {
    const changing: ManageStaff = { ...staff, changeRole: async () => ({ outcome: 'not_found' }) };
    const notFound = { code: 'USER_NOT_FOUND' };
    await expect(inviteUser({ staff, userLinks }, OPERATOR, 'ann')).rejects.toMatchObject(notFound);
    await expect(changeRole(changing, OPERATOR, 'ann', { role: 'reviewer' })).rejects.toMatchObject(notFound);
  });
});

describe('searchUsers', () => {
  const users = ['ann', 'bob', 'cid'].map((id) => ({ ...ANN, id, email: `${id}@example.com` }));
  const listing: ManageStaff = {
    ...staff,
    find: async (userId) => users.find(({ id }) => id === userId) ?? null,
    search: async ({ after = '', limit }) => ({
      users: users.filter(({ email }) => email > after).slice(0, limit),
      totalCount: users.length,
    }),
  };

  it.each<[after: string | undefined, limit: number, ids: string[], next: string | null]>([
    [undefined, 1, ['ann'], 'ann'],
    ['ann', 1, ['bob'], 'bob'],
    ['ann', 2, ['bob', 'cid'], null],
    ['cid', 2, [], null],
  ])('the page after %j of %i users is %j, and its next one begins after %j', async (after, limit, ids, next) => {
    const page = await searchUsers(listing, { after }, limit);
    expect([page.users.map(({ id }) => id), page.next]).toEqual([ids, next]);
  });

  it('an unknown position is refused with an issue at `after`', async () => {
    await expect(searchUsers(listing, { after: 'dee' }, 2)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'after', code: 'invalid' }] },
    });
  });
});

describe('a service that sends mails to users', () => {
  const given = () => {
    const asked: string[] = [];
    const mailing: UserLinks = {
      mails: { isOn: true, queue: async (kind) => void asked.push(kind) },
      recipients: {
        findRecipient: async (userId) => {
          asked.push(`recipient ${userId}`);
          return null;
        },
        keepLocale: async () => undefined,
      },
      newId: () => 'id',
    };
    return { asked, mailing };
  };

  it('queues no invitation for an e-mail address that no user can have', async () => {
    const { asked, mailing } = given();
    const caller = { clientId: 'client-1', userId: 'olga' };
    const invited = inviteToTeam({ staff, rateLimiter, userLinks: mailing }, caller, {
      email: 'ada',
      teamRole: 'agent',
    });
    await expect(invited).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
    expect(asked).toEqual([]);
  });

  it.each([
    ['on the command line', null, ['user.invitation']],
    ['by a user who was removed', 'olga', ['recipient olga', 'user.invitation']],
  ])('creates a user without a language %s', async (_, ownId, steps) => {
    const { asked, mailing } = given();
    const contexts: unknown[] = [];
    const creating: ManageStaff = {
      ...staff,
      async create(_input, context) {
        contexts.push(context);
        return { outcome: 'created', user: ANN, invitationPath: '/', expiresAt: new Date(0) };
      },
    };
    const clients = { get: () => Promise.reject(new Error('not used')) };
    const ports = { staff: creating, clients, userLinks: mailing };
    await createUser(ports, { ownId, clientId: null }, { email: 'ada@example.com', role: 'reviewer' });
    expect(asked).toEqual(steps);
    expect(contexts).toEqual([{ id: 'id', locale: undefined }]);
  });
});

it('allowPassword: returns the link with which the user sets a password', async () => {
  const link = { user: ANN, invitationPath: '/link', expiresAt: new Date(0) };
  expect(await allowPassword({ ...staff, invite: async () => link }, 'ann')).toEqual(link);
});

describe('a refused change of a user', () => {
  it('names the role when staff of a client should become a reviewer', async () => {
    await expect(changeRole(staff, OPERATOR, 'ann', { role: 'reviewer' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'role' }] },
    });
  });

  it('refuses operators who disconnect their own providers', async () => {
    await expect(disconnectProviders(staff, OPERATOR, 'olga')).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
  });

  it('names the e-mail address when another one was typed', async () => {
    await expect(removeUser(staff, OPERATOR, 'ann', 'bob@example.com')).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'email' }] },
    });
  });
});
