import { expect, test } from 'vitest';
import { createDecodeQueue } from './decode-queue.ts';

/** Jobs that end on request, and the names of those that have started. */
function given(slots: number) {
  const queue = createDecodeQueue(slots);
  const begun: string[] = [];
  function job(name: string, weight: number, owner?: string) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const begin = () => {
      begun.push(name);
      return promise;
    };
    const done = queue.run(weight, begin, owner);
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) };
  }
  return { begun, job };
}

test('decode queue: runs as many jobs at once as there are slots, in order', async () => {
  const { begun, job } = given(2);
  const [a, b, c] = [job('a', 1), job('b', 1), job('c', 1)];
  await expect.poll(() => begun).toEqual(['a', 'b']);
  b.end();
  expect(await b.done).toBe('b');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  a.end();
  c.end();
  await Promise.all([a.done, c.done]);
});

test('decode queue: a heavy job runs alone, and no later job overtakes it', async () => {
  const { begun, job } = given(2);
  const [light, heavy, later] = [job('light', 1), job('heavy', 2), job('later', 1)];
  await expect.poll(() => begun).toEqual(['light']);
  light.end();
  await expect.poll(() => begun).toEqual(['light', 'heavy']);
  heavy.end();
  await expect.poll(() => begun).toEqual(['light', 'heavy', 'later']);
  later.end();
  await later.done;
});

test('decode queue: owners take turns, however many jobs one of them has', async () => {
  const { begun, job } = given(1);
  const greedy = ['g1', 'g2', 'g3'].map((name) => job(name, 1, 'greedy'));
  const others = [job('a', 1, 'a'), job('own', 1)];
  const all = [greedy[0], greedy[1], ...others, greedy[2]];
  for (const [index, each] of all.entries()) {
    await expect.poll(() => begun).toHaveLength(index + 1);
    each?.end();
  }
  expect(begun).toEqual(['g1', 'g2', 'a', 'own', 'g3']);
});

test('decode queue: a failed job frees its slot', async () => {
  const { begun, job } = given(1);
  const [bad, good] = [job('bad', 1), job('good', 1)];
  await expect.poll(() => begun).toEqual(['bad']);
  bad.fail();
  await expect(bad.done).rejects.toThrow('bad');
  good.end();
  expect(await good.done).toBe('good');
});

test('decode queue: a job heavier than all slots runs', async () => {
  const { job } = given(1);
  const heavy = job('heavy', 2);
  heavy.end();
  expect(await heavy.done).toBe('heavy');
});
