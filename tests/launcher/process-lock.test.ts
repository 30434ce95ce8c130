import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withLock } from '../../scripts/process-lock.mjs';

let folder: string;
let lock: string;

beforeEach(() => {
  vi.useFakeTimers();
  folder = temporaryFolder(tmpdir());
  lock = join(folder, 'lock');
});
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

/** Acquires the lock in the name of a process that was killed. */
function plantLock(entry: string): void {
  mkdirSync(lock, { recursive: true });
  writeFileSync(join(lock, entry), '');
}

/** Work that ends when the test says so, and what happened to it. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onWait = vi.fn<() => void>();
  const run = vi.fn<() => Promise<void>>(() => promise);
  return { onWait, run, end: resolve, finished: withLock(lock, onWait, run) };
}

test('a free lock is acquired without waiting, and leaves nothing', async () => {
  const one = work();
  one.end();
  await one.finished;
  expect(one.onWait).not.toHaveBeenCalled();
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock is released after work that failed', async () => {
  await expect(withLock(lock, vi.fn(), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock is kept while the work lasts, and the next one waits and says so once', async () => {
  const one = work();
  const other = work();
  await seconds(60);
  expect(other.onWait).toHaveBeenCalledOnce();
  expect(other.run).not.toHaveBeenCalled();
  one.end();
  await one.finished;
  await seconds(1);
  expect(other.run).toHaveBeenCalledOnce();
  other.end();
  await other.finished;
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock that is not refreshed is taken over after 10 s, by one process', async () => {
  plantLock('killed');
  const waiting = [work(), work(), work()];
  const running = () => waiting.filter(({ run }) => run.mock.calls.length > 0).length;
  await seconds(9);
  expect(running()).toBe(0);
  await seconds(2);
  expect(running()).toBe(1);
  for (const { end } of waiting) end();
  await seconds(1);
  await Promise.all(waiting.map(({ finished }) => finished));
  expect(readdirSync(folder)).toEqual([]);
});

test('a process that was paused for too long leaves the lock of the next one alone', async () => {
  const paused = work();
  rmSync(lock, { recursive: true });
  plantLock('next');
  await seconds(5);
  paused.end();
  await paused.finished;
  expect(readdirSync(lock)).toEqual(['next']);
});

test('an empty folder, left by a process killed while it released the lock, is a free lock', async () => {
  mkdirSync(lock);
  const one = work();
  one.end();
  await one.finished;
  expect(one.onWait).not.toHaveBeenCalled();
});

test('an error of the file system is reported', async () => {
  writeFileSync(lock, '');
  await expect(withLock(lock, vi.fn(), vi.fn())).rejects.toThrow('ENOTDIR');
  expect(readdirSync(folder)).toEqual(['lock']);
});
