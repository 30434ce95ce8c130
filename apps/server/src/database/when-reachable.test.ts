import { PostgresOpenError } from '@countersign/storage-postgres';
import { expect, test, vi } from 'vitest';
import { whenReachable } from './when-reachable.ts';

const unreachable = () => Promise.reject(new PostgresOpenError('unreachable', 'Nothing answers'));

/** A clock that advances by pauses only. */
function givenTime(waitMs: number) {
  let time = 0;
  const pause = vi.fn<(ms: number) => Promise<void>>(async (ms) => {
    time += ms;
  });
  return { waitMs, pause, now: () => time };
}

test('whenReachable: waits for a database that starts', async () => {
  const work = vi
    .fn<() => Promise<string>>()
    .mockImplementationOnce(unreachable)
    .mockImplementationOnce(unreachable);
  work.mockResolvedValue('migrated');
  const time = givenTime(30_000);
  expect(await whenReachable(work, time)).toBe('migrated');
  expect(time.pause).toHaveBeenCalledTimes(2);
});

test('whenReachable: gives up after the time', async () => {
  const time = givenTime(30_000);
  await expect(whenReachable(unreachable, time)).rejects.toMatchObject({ code: 'unreachable' });
  expect(time.now()).toBe(30_000);
});

test('whenReachable: a wrong password is refused immediately', async () => {
  const time = givenTime(30_000);
  const refused = () => Promise.reject(new PostgresOpenError('access_denied', 'wrong'));
  await expect(whenReachable(refused, time)).rejects.toMatchObject({ code: 'access_denied' });
  expect(time.pause).not.toHaveBeenCalled();
});
