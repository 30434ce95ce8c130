// Servers share the attempts of a user, whose passwords are hashed slowly.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccounts } from '@countersign/accounts';
import {
  createMemoryRateLimiter,
  createPostgresRateLimiter,
  createRedisRateLimiter,
  type SharedRateLimiter,
} from '@countersign/rate-limit';
import { createSystemClock } from '@countersign/runtime';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { describeWith, startPostgres, startRedis } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';

const PASSWORD = 'violet anchor 7 gravel';
const WRONG = 'copper lantern 42 tide';
const GUESSES = 24;
/** More than the wrong ones that are checked, and few: each takes a tenth of a second of processor time. */
const RIGHT = 11;

/** Two instances with a rate limiter each, whose counts are shared. */
async function givenInstances(limiters: readonly Pick<SharedRateLimiter, 'consume' | 'giveBack'>[]) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-attempts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'countersign.db');
  await (await createSqliteStorage({ file })).close();
  const instances: Awaited<ReturnType<typeof createAccounts>>[] = [];
  for (const rateLimiter of limiters) {
    const accounts = await createAccounts({
      database: { kind: 'sqlite', file },
      clock: createSystemClock(),
      secretKeys: [Buffer.alloc(32, 7)],
      publicBaseUrl: 'https://verify.example',
      rateLimiter,
    });
    onTestFinished(() => accounts.close());
    instances.push(accounts);
  }
  const [first] = instances;
  const created = await first?.create({ email: 'ann@example.com', role: 'reviewer' });
  if (first === undefined || created?.outcome !== 'created') throw new Error('no user');
  const token = created.invitationPath.split('/').at(-1) ?? '';
  const visitor = (clientAddress: string) => ({ cookies: undefined, clientAddress });
  await first.acceptInvitation(visitor('192.0.2.9'), { token, password: PASSWORD });
  return (count: number, clientAddress: string, password: string) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const accounts = instances[n % instances.length] ?? first;
        return (await accounts.signIn(visitor(clientAddress), { email: 'ann@example.com', password })).outcome;
      }),
    );
}

/** Ten wrong passwords are checked however many are sent at once, and right ones lock out no one. */
async function expectExactLimit(limiters: Parameters<typeof givenInstances>[0]): Promise<void> {
  const signIn = await givenInstances(limiters);
  const right = await signIn(RIGHT, '192.0.2.1', PASSWORD);
  expect(right).toEqual(Array.from({ length: RIGHT }, () => 'signed_in'));
  const wrong = await signIn(GUESSES, '192.0.2.1', WRONG);
  expect(wrong.filter((outcome) => outcome === 'refused')).toHaveLength(10);
  expect(wrong.filter((outcome) => outcome === 'throttled')).toHaveLength(GUESSES - 10);
  expect(await signIn(1, '192.0.2.1', PASSWORD)).toEqual(['throttled']);
  expect(await signIn(1, '198.51.100.1', PASSWORD)).toEqual(['signed_in']);
}

const NAME = 'eleven right passwords at once all sign in, and of 24 wrong ones at once exactly ten are checked';

it(`${NAME}: one instance, in memory`, () => expectExactLimit([createMemoryRateLimiter()]), 60_000);

describeWith(['redis'], 'with a server of Redis', () => {
  it(`${NAME}: two instances`, async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    const limiter = () => createRedisRateLimiter({ url: server.url, keyPrefix: 'attempts', deadlineMs: 10_000 });
    const limiters = [limiter(), limiter()];
    onTestFinished(async () => void (await Promise.all(limiters.map((each) => each.close()))));
    await expectExactLimit(limiters);
  }, 60_000);
});

describeWith(['postgres'], 'with a server of Postgres', () => {
  it(`${NAME}: two instances`, async () => {
    const server = await startPostgres({ fsync: false });
    onTestFinished(() => server.stop());
    const url = await server.createDatabase();
    const limiters = [1, 2].map(() => createPostgresRateLimiter({ url, deadlineMs: 10_000 }));
    onTestFinished(async () => void (await Promise.all(limiters.map((each) => each.close()))));
    await expectExactLimit(limiters);
  }, 60_000);
});
