import { PostgresOpenError } from '@countersign/storage-postgres';
import { expect, test, vi } from 'vitest';
import { whenReachable } from './when-reachable.ts';

const unreachable = () => Promise.reject(new PostgresOpenError('unreachable', 'Nothing answers'));

/** A clock that advances by pauses only. */
function givenPatience(waitMs: number) {
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
  const patience = givenPatience(30_000);
  expect(await whenReachable(work, patience)).toBe('migrated');
  expect(patience.pause).toHaveBeenCalledTimes(2);
});

test('whenReachable: gives up after the time', async () => {
  const patience = givenPatience(30_000);
  await expect(whenReachable(unreachable, patience)).rejects.toMatchObject({ code: 'unreachable' });
  expect(patience.now()).toBe(30_000);
});

test('whenReachable: a wrong password is refused at once', async () => {
  const patience = givenPatience(30_000);
  const refused = () => Promise.reject(new PostgresOpenError('access_denied', 'wrong'));
  await expect(whenReachable(refused, patience)).rejects.toMatchObject({ code: 'access_denied' });
  expect(patience.pause).not.toHaveBeenCalled();
});
