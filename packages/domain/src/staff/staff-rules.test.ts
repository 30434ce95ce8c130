import { describe, expect, it } from 'vitest';
import { inviteToTeam } from '../actions/team.ts';
import { createUser } from '../actions/users.ts';
import { EMAIL_MAX } from '../fields/schema.ts';
import { checkNewUser, normalEmail, type UntrustedNewUser, USER_NAME_MAX, userEmailOf } from './new-user.ts';
import { changedRole, leavesNoOwner, parseNewRole, type TeamMember } from './role-change.ts';
import { lacksSecondFactor } from './sign-in.ts';
import { STAFF_ROLES, type StaffRole, TEAM_ROLES, userFromStored } from './user.ts';

const EMAIL = 'ann@example.com';

describe('checkNewUser', () => {
  it('normalises the e-mail address, names the user after it, and makes staff of a client an owner', () => {
    expect(checkNewUser({ email: ' Ann@Example.com ', role: 'client', clientId: 'client-1' })).toEqual({
      email: EMAIL,
      name: 'ann',
      role: 'client',
      clientId: 'client-1',
      teamRole: 'owner',
    });
    expect(normalEmail(' ANN@example.com')).toBe(EMAIL);
    expect(userEmailOf(' ANN@example.com')).toBe(EMAIL);
  });

  it('keeps a typed name and gives no team to reviewers and operators', () => {
    const user = { email: EMAIL, name: 'Ann', clientId: null, teamRole: null };
    for (const role of ['reviewer', 'operator'] as const) {
      expect(checkNewUser({ email: EMAIL, name: ' Ann ', role })).toEqual({ ...user, role });
    }
  });

  it('accepts an e-mail address and a name of the greatest length', () => {
    const email = `${'a'.repeat(EMAIL_MAX - '@example.com'.length)}@example.com`;
    const name = 'n'.repeat(USER_NAME_MAX);
    expect(checkNewUser({ email, name, role: 'reviewer' })).toMatchObject({ email, name });
  });

  it('cuts the name that it takes from a long e-mail address', () => {
    const { name } = checkNewUser({ email: `${'a'.repeat(120)}@example.com`, role: 'reviewer' });
    expect(name).toBe('a'.repeat(USER_NAME_MAX));
  });

  it('says the limit and the choices', () => {
    const refusal = (input: UntrustedNewUser) => {
      try {
        return checkNewUser(input);
      } catch (error) {
        return String(error);
      }
    };
    expect(refusal({ email: EMAIL, role: 'reviewer', name: 'n'.repeat(101) })).toContain(
      'name must have at most 100 characters',
    );
    expect(refusal({ email: EMAIL, role: 'owner' })).toContain('role must be one of client, reviewer, operator');
  });

  it('team.invite has the e-mail address and name fields of users.create', () => {
    expect(inviteToTeam.fields.email).toBe(createUser.fields.email);
    expect(inviteToTeam.fields.name).toBe(createUser.fields.name);
    expect(createUser.fields.name).toMatchObject({ max: USER_NAME_MAX });
  });

  it.each(TEAM_ROLES)('accepts the team role %s', (teamRole) => {
    expect(checkNewUser({ email: EMAIL, role: 'client', clientId: 'x', teamRole })).toMatchObject({ teamRole });
  });

  it.each<[path: string, issue: object, UntrustedNewUser]>([
    ['email', { code: 'not_an_email' }, { email: 'ann', role: 'reviewer' }],
    ['email', { code: 'required' }, { email: ' ', role: 'reviewer' }],
    // The Kelvin sign, which is k in lower case.
    ['email', { code: 'not_an_email' }, { email: '\u212Aim@example.com', role: 'reviewer' }],
    ['email', { code: 'not_an_email' }, { email: 'a\u0000@example.com', role: 'reviewer' }],
    ['email', { code: 'too_long', limit: 254 }, { email: `ann@${'b'.repeat(250)}.com`, role: 'reviewer' }],
    ['clientId', { code: 'required' }, { email: EMAIL, role: 'client' }],
    ['clientId', { code: 'required' }, { email: EMAIL, role: 'client', clientId: '' }],
    ['clientId', { code: 'invalid' }, { email: EMAIL, role: 'reviewer', clientId: 'x' }],
    ['teamRole', { code: 'invalid' }, { email: EMAIL, role: 'reviewer', teamRole: 'owner' }],
    ['teamRole', { code: 'invalid' }, { email: EMAIL, role: 'client', clientId: 'x', teamRole: 'admin' }],
    ['role', { code: 'invalid' }, { email: EMAIL, role: 'owner' }],
    ['name', { code: 'too_long', limit: 100 }, { email: EMAIL, role: 'reviewer', name: 'n'.repeat(101) }],
    ['name', { code: 'not_plain_text' }, { email: EMAIL, role: 'reviewer', name: 'An\nn' }],
    ['name', { code: 'not_plain_text' }, { email: EMAIL, role: 'reviewer', name: 'An\u202en' }],
    ['name', { code: 'not_plain_text' }, { email: EMAIL, role: 'reviewer', name: 'An\u0000n' }],
  ])('refuses the %s with %j: %j', (path, issue, input) => {
    expect(() => checkNewUser(input)).toThrow(
      expect.objectContaining({
        code: 'INVALID_PARAMETERS',
        data: { issues: [expect.objectContaining({ path, ...issue }) as object] },
      }) as Error,
    );
  });
});

describe('userFromStored', () => {
  const stored = { id: 'u', email: EMAIL, name: 'Ann', role: 'client', clientId: 'c', teamRole: 'agent' };

  it('parses a stored user', () => {
    expect(userFromStored(stored)).toEqual(stored);
  });

  it.each([
    { role: 'admin' },
    { role: 'admin', clientId: null, teamRole: null },
    { role: 'reviewer' },
    { role: 'reviewer', clientId: null },
    { role: 'operator', teamRole: null },
    { teamRole: 'admin' },
    { teamRole: null },
    { clientId: null },
  ])('refuses a damaged row: %j', (change) => {
    expect(() => userFromStored({ ...stored, ...change })).toThrow('The stored user u has an unknown role');
  });
});

describe('changedRole', () => {
  it.each<[StaffRole, unknown, object | null]>([
    ['client', { role: 'client', teamRole: 'viewer' }, { role: 'client', teamRole: 'viewer' }],
    ['reviewer', { role: 'operator' }, { role: 'operator', teamRole: null }],
    ['operator', { role: 'reviewer' }, { role: 'reviewer', teamRole: null }],
    ['client', { role: 'reviewer' }, null],
    ['client', { role: 'operator' }, null],
    ['reviewer', { role: 'client', teamRole: 'owner' }, null],
    ['operator', { role: 'client', teamRole: 'owner' }, null],
  ])('%s to %j: %j', (role, to, next) => {
    expect(changedRole({ role }, parseNewRole(to))).toEqual(next);
  });

  it.each([
    { role: 'client' },
    { role: 'client', teamRole: 'admin' },
    { role: 'reviewer', teamRole: 'owner' },
    { role: 'owner' },
    'operator',
    null,
  ])('parseNewRole refuses %j', (to) => {
    expect(() => parseNewRole(to)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETERS' }) as Error);
  });
});

describe('leavesNoOwner', () => {
  const joined = (id: string, teamRole: string): TeamMember => ({ id, teamRole, hasJoined: true });
  const invited = (id: string, teamRole: string): TeamMember => ({ id, teamRole, hasJoined: false });
  const removed = { userId: 'a', teamRole: null };

  it.each<[string, TeamMember[], { userId: string; teamRole: 'owner' | 'agent' | null }, boolean]>([
    ['the only owner is removed', [joined('a', 'owner'), joined('b', 'agent')], removed, true],
    ['the only owner becomes an agent', [joined('a', 'owner')], { userId: 'a', teamRole: 'agent' }, true],
    ['the only owner stays one', [joined('a', 'owner')], { userId: 'a', teamRole: 'owner' }, false],
    ['one of two owners is removed', [joined('a', 'owner'), joined('b', 'owner')], removed, false],
    ['an agent is removed', [joined('a', 'agent'), joined('b', 'owner')], removed, false],
    ['the other owner has not joined', [joined('a', 'owner'), invited('b', 'owner')], removed, true],
    ['the removed owner has not joined', [invited('a', 'owner'), joined('b', 'owner')], removed, false],
    ['one of two invited owners is removed', [invited('a', 'owner'), invited('b', 'owner')], removed, false],
    ['the only invited owner is removed', [invited('a', 'owner')], removed, true],
    ['an agent of a team without owners is removed', [joined('a', 'agent')], removed, false],
  ])('%s', (_, team, change, expected) => {
    expect(leavesNoOwner(team, change)).toBe(expected);
  });
});

describe('lacksSecondFactor', () => {
  const user = { id: 'u', email: EMAIL, name: 'Ann', clientId: null, teamRole: null };
  const lacking = (required: boolean, withSecondFactor: boolean): StaffRole[] =>
    STAFF_ROLES.filter((role) => lacksSecondFactor({ user: { ...user, role }, withSecondFactor }, { required }));

  it('true for reviewers and operators without one where it is required, never for users of clients', () => {
    expect(lacking(true, false)).toEqual(['reviewer', 'operator']);
    expect(lacking(true, true)).toEqual([]);
    expect(lacking(false, false)).toEqual([]);
  });
});
