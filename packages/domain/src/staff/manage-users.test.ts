import { describe, expect, it } from 'vitest';
import type { ListedUser, ManageStaff } from './manage-staff.ts';
import {
  allowPassword,
  changeRole,
  disconnectProviders,
  removeUser,
  renewInvitation,
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
});

describe('a refused change of a user', () => {
  it('names the role when staff of a client should become a reviewer', async () => {
    await expect(changeRole(staff, OPERATOR, 'ann', { role: 'reviewer' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'role' }] },
    });
  });

  it('names the e-mail address when another one was typed', async () => {
    await expect(removeUser(staff, OPERATOR, 'ann', 'bob@example.com')).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'email' }] },
    });
  });
});
