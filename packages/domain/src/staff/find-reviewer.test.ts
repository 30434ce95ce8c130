import { expect, it } from 'vitest';
import { findReviewer } from './find-reviewer.ts';
import type { ListedUser } from './manage-staff.ts';

const BEN: ListedUser = {
  id: 'ben',
  email: 'ben@example.org',
  name: 'Ben',
  role: 'reviewer',
  clientId: null,
  teamRole: null,
  createdAt: new Date(0),
  invitedUntil: null,
  hasJoined: true,
  hasSecondFactor: true,
};

const find = (email: string, found: Partial<ListedUser> | null = {}) =>
  findReviewer(
    { search: async () => ({ users: found === null ? [] : [{ ...BEN, ...found }], totalCount: 0 }) },
    email,
  );

it('finds a reviewer or operator by address, in any case', async () => {
  expect(await find(' Ben@Example.org')).toMatchObject({ id: 'ben' });
  expect(await find('ben@example.org', { role: 'operator' })).toMatchObject({ id: 'ben' });
});

it.each<[string, Partial<ListedUser> | null]>([
  ['an unknown address', null],
  ['an address that only begins like another', { email: 'ben@example.org.uk' }],
  ['a user of a client', { role: 'client', clientId: 'client-1', teamRole: 'owner' }],
  ['a reviewer who has not joined', { hasJoined: false }],
])('%s is refused alike', async (_who, found) => {
  await expect(find('ben@example.org', found)).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
    data: { issues: [{ path: 'email', message: 'is not the address of a reviewer', code: 'invalid' }] },
  });
});
