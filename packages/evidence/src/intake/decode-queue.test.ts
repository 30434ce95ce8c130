import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDecodeQueue, type Slots, WEIGHTS, type Weight } from './decode-queue.ts';
import { createSenderUse } from './sender-use.ts';

interface Named {
  readonly sender?: string;
  readonly weight?: Weight;
}

const ONE: Slots = { small: 1, light: 1, heavy: 1 };
const USUAL: Slots = { small: 3, light: 2, heavy: 1 };

/** Jobs that end on request, the names of those that have started, and what senders have used. */
function given(slots: Slots) {
  const use = createSenderUse(() => 0);
  const queue = createDecodeQueue(slots, use);
  const begun: string[] = [];
  function job(name: string, { sender, weight = 'small' }: Named = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const begin = (counted: Weight) => {
      begun.push(counted === weight ? name : `${name} as ${counted}`);
      return promise;
    };
    const done = queue.run({ sender, weight }, begin);
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) };
  }
  return { begun, job, use, queue };
}

test('decode queue: runs as many jobs at once as there are slots, in order', async () => {
  const { begun, job, queue } = given({ small: 2, light: 2, heavy: 2 });
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

test('decode queue: jobs of each weight leave a place to lighter ones', async () => {
  const { begun, job } = given(USUAL);
  const jobs = [
    job('h1', { weight: 'heavy' }),
    job('h2', { weight: 'heavy' }),
    job('l1', { weight: 'light' }),
    job('l2', { weight: 'light' }),
    job('s1'),
    job('s2'),
  ];
  await expect.poll(() => begun).toEqual(['h1', 'l1', 's1']);
  jobs[0]?.end();
  await expect.poll(() => begun).toEqual(['h1', 'l1', 's1', 'h2']);
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
});

test('decode queue: light jobs use the slots that no lighter and no heavier one needs', async () => {
  const { begun, job } = given(USUAL);
  const jobs = ['a', 'b', 'c'].map((name) => job(name, { weight: 'light' }));
  await expect.poll(() => begun).toEqual(['a', 'b']);
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
});

test('decode queue: with one place, heavy jobs run too', async () => {
  const { job } = given(ONE);
  const heavy = job('heavy', { weight: 'heavy' });
  heavy.end();
  expect(await heavy.done).toBe('heavy');
});

test('decode queue: a sender has one job at a time, in order', async () => {
  const { begun, job } = given(USUAL);
  const own = ['g1', 'g2'].map((name) => job(name, { sender: 'greedy' }));
  const other = job('other', { sender: 'other' });
  await expect.poll(() => begun).toEqual(['g1', 'other']);
  own[0]?.end();
  await expect.poll(() => begun).toEqual(['g1', 'other', 'g2']);
  for (const { end } of [...own, other]) end();
  await Promise.all([...own, other].map(({ done }) => done));
});

test('decode queue: senders take turns, however many jobs one of them has', async () => {
  const { begun, job } = given(ONE);
  const greedy = ['g1', 'g2', 'g3'].map((name) => job(name, { sender: 'greedy' }));
  const all = [...greedy, job('a', { sender: 'a' }), job('own')];
  for (const { end } of all) end();
  await Promise.all(all.map(({ done }) => done));
  expect(begun).toEqual(['g1', 'g2', 'a', 'own', 'g3']);
});

test('decode queue: a sender that has used little time goes before those that have used much', async () => {
  const { begun, job, use } = given(ONE);
  use.add('attacker', 1000);
  use.add('another', 500);
  const first = job('first', { sender: 'first' });
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

test('decode queue: all jobs of a sender that has used much time count as heavy', async () => {
  const { begun, job, use } = given(USUAL);
  use.add('attacker', 60_000);
  use.add('accomplice', 60_000);
  const jobs = [
    job('m1', { sender: 'attacker' }),
    job('m2', { sender: 'accomplice', weight: 'light' }),
    job('victim', { sender: 'victim' }),
  ];
  await expect.poll(() => begun).toEqual(['m1 as heavy', 'victim']);
  for (const { end } of jobs) end();
  await Promise.all(jobs.map(({ done }) => done));
  expect(begun).toEqual(['m1 as heavy', 'victim', 'm2 as heavy']);
});

test('decode queue: a subject of four photos of a phone is no attacker', async () => {
  const { begun, job, use } = given(USUAL);
  for (const name of ['1', '2', '3', '4']) {
    const photo = job(name, { sender: 'subject', weight: 'light' });
    photo.end();
    await photo.done;
    use.add('subject', 450);
  }
  expect(begun).toEqual(['1', '2', '3', '4']);
});

test('decode queue: a failed job frees its place', async () => {
  const { begun, job } = given(ONE);
  const [bad, good] = [job('bad', { sender: 'one' }), job('good', { sender: 'one' })];
  await expect.poll(() => begun).toEqual(['bad']);
  bad.fail();
  await expect(bad.done).rejects.toThrow('bad');
  good.end();
  expect(await good.done).toBe('good');
});

test('decode queue: all jobs run, each weight within its slots and one per sender', async () => {
  const jobs = fc.array(
    fc.record({
      sender: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      weight: fc.constantFrom(...WEIGHTS),
    }),
    { maxLength: 30 },
  );
  const slots = fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 }))
    .map(([heavy, light, small]) => ({ heavy, light: heavy + light, small: heavy + light + small }));
  await fc.assert(
    fc.asyncProperty(jobs, slots, async (list, most) => {
      const queue = createDecodeQueue(
        most,
        createSenderUse(() => 0),
      );
      const running = new Set<(typeof list)[number]>();
      const ended = await Promise.all(
        list.map((each) =>
          queue.run(each, async () => {
            running.add(each);
            for (const [rank, weight] of WEIGHTS.entries()) {
              const atLeast = [...running].filter((other) => WEIGHTS.indexOf(other.weight) >= rank);
              expect(atLeast.length).toBeLessThanOrEqual(most[weight]);
            }
            const senders = [...running].map(({ sender }) => sender).filter((sender) => sender !== undefined);
            expect(new Set(senders).size).toBe(senders.length);
            await Promise.resolve();
            running.delete(each);
          }),
        ),
      );
      expect(ended).toHaveLength(list.length);
      expect(queue.stats()).toEqual({ running: 0, waiting: 0 });
    }),
  );
});
