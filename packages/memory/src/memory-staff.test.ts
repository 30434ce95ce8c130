import type { NewUser, TeamRole } from '@countersign/domain';
import { beforeEach, expect, it } from 'vitest';
import { createMemoryStaff, type MemoryStaff } from './memory-staff.ts';
import { createCountingIds, createFixedClock, type FixedClock } from './predictable.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const keep = { keepOwner: true };

let clock: FixedClock;
let staff: MemoryStaff;

beforeEach(() => {
  clock = createFixedClock();
  staff = createMemoryStaff({ clock, ids: createCountingIds() });
});

async function given(input: Partial<NewUser> = {}): Promise<string> {
  const made = await staff.create({ email: 'ada@example.com', role: 'reviewer', ...input });
  if (made.outcome === 'exists') throw new Error('exists');
  return made.user.id;
}
const owner = (email: string, teamRole: TeamRole = 'owner') =>
  given({ email, role: 'client', clientId: 'client-1', teamRole });

it('makes a user with a link for a day, and another only with another e-mail', async () => {
  const made = await staff.create({ email: ' Ada@Example.com ', role: 'client', clientId: 'client-1' });
  expect(made).toMatchObject({
    outcome: 'created',
    user: { email: 'ada@example.com', name: 'ada', clientId: 'client-1', teamRole: 'owner' },
    expiresAt: new Date(clock.now().getTime() + DAY_MS),
  });
  expect(await staff.create({ email: 'ADA@example.com', role: 'operator' })).toEqual({ outcome: 'exists' });
  expect(await staff.findByEmail('ada@example.com ')).toMatchObject({ role: 'client' });
});

it.each([
  { email: 'ada' },
  { role: 'admin' },
  { role: 'client' },
  { clientId: 'client-1' },
  { teamRole: 'owner' },
  { role: 'client', clientId: 'client-1', teamRole: 'admin' },
  { name: 'a'.repeat(101) },
  { name: 'two\nlines' },
])('refuses %j', async (input) => {
  await expect(given(input as Partial<NewUser>)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  expect(await staff.list()).toEqual([]);
});

it('lists who has been there longest first, with how they stand', async () => {
  const id = await given();
  const other = await owner('bob@example.com');
  const invitedUntil = new Date(clock.now().getTime() + DAY_MS);
  staff.join(id);
  staff.setUpSecondFactor(id);
  expect(await staff.list()).toMatchObject([
    { id, invitedUntil: null, hasJoined: true, hasSecondFactor: true },
    { id: other, invitedUntil, hasJoined: false, hasSecondFactor: false },
  ]);
  clock.advance(DAY_MS);
  expect(await staff.list({ clientId: 'client-1' })).toMatchObject([{ id: other, invitedUntil: null }]);
  await staff.resetSecondFactor(id);
  expect((await staff.list())[0]?.hasSecondFactor).toBe(false);
});

it('keeps the last owner of a client where it is asked to, and lets one of two go', async () => {
  const [first, second] = [await owner('a@example.com'), await owner('b@example.com')];
  await owner('c@example.com', 'viewer');
  const viewer = { role: 'client', teamRole: 'viewer' } as const;
  expect(await staff.remove(first, keep)).toMatchObject({ outcome: 'removed', user: { id: first } });
  expect(await staff.remove(second, keep)).toEqual({ outcome: 'last_owner' });
  expect(await staff.changeRole(second, viewer, keep)).toEqual({ outcome: 'last_owner' });
  expect(await staff.changeRole(second, { ...viewer, teamRole: 'owner' }, keep)).toEqual({ outcome: 'changed' });
  expect(await staff.changeRole(second, viewer, { keepOwner: false })).toEqual({ outcome: 'changed' });
  expect(await staff.find(second)).toMatchObject({ teamRole: 'viewer' });
});

it('takes nobody for an owner who stays that has not joined, where somebody has', async () => {
  const [joined, invited] = [await owner('a@example.com'), await owner('b@example.com')];
  staff.join(joined);
  expect(await staff.remove(joined, keep)).toEqual({ outcome: 'last_owner' });
  staff.join(invited);
  expect(await staff.remove(joined, keep)).toMatchObject({ outcome: 'removed' });
});

it("makes no reviewer of a client's staff, nor the reverse", async () => {
  const [reviewer, user] = [await given(), await owner('a@example.com')];
  expect(await staff.changeRole(reviewer, { role: 'client', teamRole: 'owner' }, keep)).toEqual({
    outcome: 'other_kind',
  });
  expect(await staff.changeRole(user, { role: 'operator' }, keep)).toEqual({ outcome: 'other_kind' });
  expect(await staff.changeRole(reviewer, { role: 'operator' }, keep)).toEqual({ outcome: 'changed' });
});

it('finds nobody by what is no id', async () => {
  await given();
  for (const id of ['', '\u0000', 'nobody']) {
    expect(await staff.find(id)).toBeNull();
    expect(await staff.invite(id)).toBeNull();
    expect(await staff.resetSecondFactor(id)).toBeNull();
    expect(await staff.changeRole(id, { role: 'operator' }, keep)).toEqual({ outcome: 'not_found' });
    expect(await staff.remove(id, keep)).toEqual({ outcome: 'not_found' });
  }
  expect(await staff.list()).toHaveLength(1);
});
