import { expect, it, onTestFinished } from 'vitest';
import { targetOf } from './connect-once.ts';
import { createPool } from './pool.ts';

it('pool: transactions that wait to begin are counted as waiting, until none waits', async () => {
  const target = targetOf('postgres://ann@127.0.0.1:1/names');
  const pool = createPool({ target, applicationName: 'test', size: 1, isNamed: true, deadlineMs: 5_000 });
  onTestFinished(() => pool.end());
  // Nothing answers at this port: each is refused, and the next one may begin.
  const begun = [pool.begin(), pool.begin(), pool.begin()];
  expect(pool.stats()).toMatchObject({ queriesWaiting: 2 });
  const refused = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } };
  expect(await Promise.allSettled(begun)).toMatchObject([refused, refused, refused]);
  expect(pool.stats()).toMatchObject({ queriesWaiting: 0 });
});
