import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecodeQueue } from './decode-queue.ts';

interface Named {
  readonly sender?: string;
  readonly isHeavy?: boolean;
}

/** Jobs that end on request, the names of those that have started, and a clock that moves on request. */
function given(slots: number) {
  let time = 0;
  const queue = createDecodeQueue(slots, () => time);
  const begun: string[] = [];
  function job(name: string, { sender, isHeavy = false }: Named = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const begin = () => {
      begun.push(name);
      return promise;
    };
    const done = queue.run({ sender, isHeavy }, begin);
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) };
  }
  /** Runs a job that takes so long. */
  async function use(sender: string, milliseconds: number): Promise<void> {
    await queue.run({ sender, isHeavy: false }, async () => {
      time += milliseconds;
      await Promise.resolve();
    });
  }
  return { begun, job, use, queue };
}

test('decode queue: runs as many jobs at once as there are slots, in order', async () => {
  const { begun, job, queue } = given(2);
  const [a, b, c] = [job('a'), job('b'), job('c')];
  await expect.poll(() => begun).toEqual(['a', 'b']);
  expect(queue.stats()).toEqual({ running: 2, waiting: 1 });
  b.end();
  expect(await b.done).toBe('b');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  a.end();
  c.end();
  await Promise.all([a.done, c.done]);
  expect(queue.stats()).toEqual({ running: 0, waiting: 0 });
});

test('decode queue: heavy jobs never take all slots', async () => {
  const { begun, job } = given(2);
  const heavy = ['h1', 'h2'].map((name) => job(name, { isHeavy: true }));
  const light = job('light');
  await expect.poll(() => begun).toEqual(['h1', 'light']);
  light.end();
  await light.done;
  expect(begun).toEqual(['h1', 'light']);
  heavy[0]?.end();
  await expect.poll(() => begun).toEqual(['h1', 'light', 'h2']);
  heavy[1]?.end();
  await Promise.all(heavy.map(({ done }) => done));
});

test('decode queue: with one slot, heavy jobs run too', async () => {
  const { job } = given(1);
  const heavy = job('heavy', { isHeavy: true });
  heavy.end();
  expect(await heavy.done).toBe('heavy');
});

test('decode queue: senders take turns, however many jobs one of them has', async () => {
  const { begun, job } = given(1);
  const greedy = ['g1', 'g2', 'g3'].map((name) => job(name, { sender: 'greedy' }));
  const others = [job('a', { sender: 'a' }), job('own')];
  const all = [greedy[0], greedy[1], ...others, greedy[2]];
  for (const [index, each] of all.entries()) {
    await expect.poll(() => begun).toHaveLength(index + 1);
    each?.end();
  }
  expect(begun).toEqual(['g1', 'g2', 'a', 'own', 'g3']);
});

test('decode queue: a sender that has used little time goes before those that have used much', async () => {
  const { begun, job, use } = given(1);
  await use('attacker', 1000);
  await use('another', 500);
  const first = job('first', { sender: 'attacker' });
  const waiting = [
    job('attacker', { sender: 'attacker' }),
    job('another', { sender: 'another' }),
    job('victim', { sender: 'victim' }),
  ];
  first.end();
  for (const { end } of waiting) end();
  await Promise.all(waiting.map(({ done }) => done));
  expect(begun).toEqual(['first', 'victim', 'another', 'attacker']);
});

test('decode queue: light jobs of a sender that has used much time leave a slot to others', async () => {
  const { begun, job, use } = given(2);
  await use('attacker', 60_000);
  const many = ['m1', 'm2'].map((name) => job(name, { sender: 'attacker' }));
  const victim = job('victim', { sender: 'victim' });
  await expect.poll(() => begun).toEqual(['m1', 'victim']);
  for (const each of [...many, victim]) each.end();
  await Promise.all([...many, victim].map(({ done }) => done));
});

test('decode queue: used time is forgiven', async () => {
  const { begun, job, use } = given(2);
  await use('sender', 10_000);
  // A tenth of it each second.
  await use('somebody else', 100_000);
  const jobs = ['a', 'b'].map((name) => job(name, { sender: 'sender' }));
  await expect.poll(() => begun).toEqual(['a', 'b']);
  for (const each of jobs) each.end();
  await Promise.all(jobs.map(({ done }) => done));
});

test('decode queue: a failed job frees its slot', async () => {
  const { begun, job } = given(1);
  const [bad, good] = [job('bad', { isHeavy: true }), job('good', { isHeavy: true })];
  await expect.poll(() => begun).toEqual(['bad']);
  bad.fail();
  await expect(bad.done).rejects.toThrow('bad');
  good.end();
  expect(await good.done).toBe('good');
});

test('decode queue: any jobs all run, within the slots, and heavy ones leave one free', async () => {
  const jobs = fc.array(
    fc.record({ sender: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }), isHeavy: fc.boolean() }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(jobs, fc.integer({ min: 1, max: 4 }), async (list, slots) => {
      const queue = createDecodeQueue(slots, () => 0);
      let running = 0;
      let heavy = 0;
      const ended = await Promise.all(
        list.map((each) =>
          queue.run(each, async () => {
            running++;
            heavy += each.isHeavy ? 1 : 0;
            expect(running).toBeLessThanOrEqual(slots);
            expect(heavy).toBeLessThanOrEqual(Math.max(1, slots - 1));
            await Promise.resolve();
            running--;
            heavy -= each.isHeavy ? 1 : 0;
          }),
        ),
      );
      expect(ended).toHaveLength(list.length);
      expect(queue.stats()).toEqual({ running: 0, waiting: 0 });
    }),
  );
});
