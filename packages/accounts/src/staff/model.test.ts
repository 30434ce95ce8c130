// Runs random sequences of commands in memory, on SQLite and on Postgres.
import { randomInt } from 'node:crypto';
import type { IdentityKey, ManageStaff } from '@countersign/domain/staff';
import { extent } from '@countersign/test-support/installation/extent';
import { describeWith } from '@countersign/test-support/servers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Databases, postgresDatabases, sqliteDatabases } from '../../test-support/databases.ts';
import { inMemory, on, type World } from '../../test-support/staff-worlds.ts';

const SEQUENCES = extent({ full: 400, short: 8 });
const COMMANDS = 60;
/** A long run tries other sequences each time. To repeat one, set MODEL_SEED. */
const SEED = Number(process.env.MODEL_SEED ?? extent({ full: randomInt(2 ** 31), short: 73 }));
const ISSUERS = ['https://acme.example', 'https://other.example'];
const ACCEPTED = { passwords: true, issuers: ISSUERS };
const USERS = 3;
const TEAM = 'c1';

type Command = {
  readonly kind:
    | 'create'
    | 'invite to the team'
    | 'change in the team'
    | 'remove from the team'
    | 'join'
    | 'add passkey'
    | 'sign in with passkeys'
    | 'connect by address'
    | 'connect from the session'
    | 'sign in at the provider'
    | 'withdraw'
    | 'disconnect'
    | 'disconnect one'
    | 'reset second factor'
    | 'remove'
    | 'allow password';
  readonly user: number;
  readonly issuer: number;
};

const often = ['create', 'join', 'add passkey', 'sign in with passkeys', 'sign in at the provider'] as const;
const connecting = ['connect by address', 'connect from the session', 'disconnect one'] as const;

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom(
    ...often,
    ...often,
    ...connecting,
    ...connecting,
    ...connecting,
    'invite to the team' as const,
    'change in the team' as const,
    'remove from the team' as const,
    'withdraw' as const,
    'disconnect' as const,
    'reset second factor' as const,
    'remove' as const,
    'allow password' as const,
  ),
  user: fc.nat(USERS - 1),
  issuer: fc.nat(ISSUERS.length - 1),
});

const emailOf = (user: number): string => `user${user}@example.com`;
const keyOf = ({ user, issuer }: Pick<Command, 'user' | 'issuer'>): IdentityKey => ({
  issuer: ISSUERS[issuer] ?? '',
  subject: `subject-${user}`,
});

async function run(world: World, given: Command): Promise<unknown> {
  const { staff } = world;
  const { identities } = staff;
  const user = await staff.findByEmail(emailOf(given.user));
  if (given.kind === 'create') {
    return (await staff.create({ email: emailOf(given.user), role: 'reviewer' })).outcome;
  }
  if (given.kind === 'invite to the team') {
    const input = { email: emailOf(given.user), role: 'client', clientId: TEAM, teamRole: 'agent' } as const;
    return (await staff.create(input, { withholds: true })).outcome;
  }
  if (given.kind === 'change in the team' || given.kind === 'remove from the team') {
    const listed = (await staff.team(TEAM)).find(({ email }) => email === emailOf(given.user));
    if (listed === undefined) return 'not in the team';
    if (given.kind === 'remove from the team') return (await staff.remove(listed.id, { keepOwner: true })).outcome;
    await staff.invite(listed.id);
    return staff.changeRole(listed.id, { role: 'client', teamRole: 'viewer' }, { keepOwner: true });
  }
  if (user === null) return 'no user';
  const key = keyOf(given);
  switch (given.kind) {
    case 'join':
      return world.join(user);
    case 'add passkey':
      return world.addPasskey(user);
    case 'sign in with passkeys':
      return world.enterPasskeys(user);
    case 'connect by address':
      return identities.connect(user.id, key, { kind: 'email' });
    case 'connect from the session':
      return identities.connect(user.id, key, { kind: 'session' });
    case 'sign in at the provider': {
      const { withdrawnAt = null, user: { id } = user } = (await identities.find(key)) ?? {};
      return identities.recordUse({ userId: id, key, withdrawnAt, endPassword: given.issuer === 1 });
    }
    case 'withdraw':
      return identities.withdraw(user.id);
    case 'disconnect':
      return (await identities.disconnect(user.id))?.email;
    case 'disconnect one':
      return identities.disconnectOne(user.id, key.issuer, ACCEPTED);
    case 'reset second factor':
      return (await staff.resetSecondFactor(user.id))?.email;
    case 'remove':
      return (await staff.remove(user.id, { keepOwner: false })).outcome;
    case 'allow password':
      return (await identities.allowPassword(user.id, 5_000))?.email;
    default:
      return given.kind satisfies never;
  }
}

/** What a team sees, without ids. */
async function teamIn(world: World): Promise<unknown> {
  const team = await world.staff.team(TEAM);
  return team
    .map(({ id: _, ...user }) => ({ ...user, createdAt: 0, invitedUntil: user.invitedUntil !== null }))
    .toSorted((a, b) => (a.email < b.email ? -1 : 1));
}

/** Everything that can be read of a user, without ids. */
async function pictureOf(world: World, n: number): Promise<unknown> {
  const user = await world.staff.findByEmail(emailOf(n));
  if (user === null) return null;
  const { id } = user;
  const { identities } = world.staff;
  const listed = (await world.staff.list()).find((each) => each.id === id);
  const found = await Promise.all(ISSUERS.map((_, issuer) => identities.find(keyOf({ user: n, issuer }))));
  return {
    hasJoined: listed?.hasJoined,
    hasSecondFactor: listed?.hasSecondFactor,
    passkeys: await world.passkeysOf(id),
    issuers: await identities.issuersOf(id),
    identities: found.map((each) => each && { email: each.user.email, isWithdrawn: each.withdrawnAt !== null }),
    isPasswordAllowed: await identities.isPasswordAllowed(id),
    isSignedIn: await world.isSignedIn(id),
  };
}

/** A user whose access was withdrawn has nothing left that lets them in; a removed user has nothing. */
async function expectEnded(world: World, { kind, user: n }: Command): Promise<void> {
  const user = await world.staff.findByEmail(emailOf(n));
  if (kind === 'remove') expect(user).toBeNull();
  if (kind !== 'withdraw' || user === null) return;
  expect(await world.enterPasskeys(user)).toBe(0);
  expect(await pictureOf(world, n)).toMatchObject({
    hasJoined: false,
    passkeys: 0,
    issuers: [],
    isSignedIn: false,
  });
}

/**
 * Runs random sequences in all worlds and compares each answer, and after each command everything that can be read.
 * @returns each outcome of a command in the first world
 */
async function compare(open: () => Promise<readonly World[]>, numRuns: number): Promise<readonly string[]> {
  const outcomes = new Set<string>();
  const sequences = fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS });
  const property = fc.asyncProperty(sequences, async (commands) => {
    const worlds = await open();
    try {
      for (const [index, each] of commands.entries()) {
        const answers = [];
        for (const world of worlds) {
          const answer = await run(world, each);
          await expectEnded(world, each);
          const users = [];
          for (let n = 0; n < USERS; n += 1) users.push(await pictureOf(world, n));
          answers.push({ answer, users, team: await teamIn(world) });
          world.advance(1_000);
        }
        outcomes.add(`${each.kind} ${JSON.stringify(answers[0]?.answer)}`);
        const where = `command ${index + 1} of ${JSON.stringify(commands.slice(0, index + 1))}`;
        for (const answer of answers.slice(1)) expect(answer, where).toEqual(answers[0]);
      }
    } finally {
      for (const world of worlds) await world.close();
    }
  });
  // Sequences keep their length, so there is nothing to shrink.
  await fc.assert(property, { numRuns, seed: SEED, endOnFailure: true });
  return [...outcomes];
}

describeWith(['postgres'], 'accounts in memory, on SQLite and on Postgres', () => {
  let databases: Databases[];
  beforeAll(async () => {
    databases = await Promise.all([sqliteDatabases(), postgresDatabases()]);
  });
  afterAll(async () => void (await Promise.all(databases.map((each) => each.close()))));

  it('give the same answers to random sequences; withdrawn and removed users have nothing that lets them in', async () => {
    const open = async () => [
      inMemory(),
      ...(await Promise.all(databases.map(async (each) => on(await each.emptied())))),
    ];
    expect(await compare(open, SEQUENCES)).toEqual(
      expect.arrayContaining([
        'add passkey "added"',
        'sign in with passkeys 1',
        'connect from the session {"outcome":"connected"}',
        'connect from the session {"outcome":"refused"}',
        'sign in at the provider true',
        'sign in at the provider false',
        'disconnect one {"outcome":"disconnected"}',
        'disconnect one {"outcome":"last_way"}',
        'remove "removed"',
        'invite to the team "exists"',
        'change in the team {"outcome":"changed"}',
        'remove from the team "removed"',
      ]),
    );
  }, 3_600_000);
});

const DEFECTS: readonly (readonly [string, (staff: ManageStaff) => Partial<ManageStaff>])[] = [
  ['withdraws nothing', ({ identities }) => ({ identities: { ...identities, withdraw: async () => undefined } })],
  ['withholds no invitation', ({ list }) => ({ team: (clientId) => list({ clientId }) })],
  ['keeps passkeys and sessions of a lost device', ({ find }) => ({ resetSecondFactor: find })],
  [
    'disconnects the last way to sign in',
    ({ identities }) => ({
      identities: {
        ...identities,
        async disconnectOne(userId, issuer) {
          const isConnected = (await identities.issuersOf(userId)).includes(issuer);
          if (isConnected) await identities.disconnect(userId);
          return { outcome: isConnected ? 'disconnected' : 'not_found' };
        },
      },
    }),
  ],
  [
    'gives withdrawn users access from a session',
    ({ identities }) => ({
      identities: {
        ...identities,
        connect: (userId, key, proof) =>
          identities.connect(userId, key, proof.kind === 'session' ? { kind: 'email' } : proof),
      },
    }),
  ],
];

describe('the model test of accounts can fail', () => {
  it.each(DEFECTS)('finds an implementation that %s', async (_, change) => {
    const open = async () => {
      const sound = inMemory();
      return [inMemory(), { ...sound, staff: { ...sound.staff, ...change(sound.staff) } }];
    };
    await expect(compare(open, 50)).rejects.toThrow('Property failed');
  });
});
