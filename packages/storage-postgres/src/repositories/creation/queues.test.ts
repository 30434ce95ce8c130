import { describe, expect, it, vi } from 'vitest';
import { createQueues, type Entry } from './queues.ts';

interface Item {
  readonly key: string;
  readonly n: number;
  readonly size?: number;
}

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };
const DEADLINE_MS = 5_000;

/** Queues whose batches wait until the test ends them. */
function given() {
  const batches: { readonly entries: readonly Entry<Item, number>[]; readonly end: (error?: Error) => void }[] =
    [];
  const queues = createQueues<Item, number>({
    keyOf: ({ key }) => key,
    sizeOf: ({ size = 1 }) => size,
    run: (entries) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error === undefined ? resolve() : reject(error));
        batches.push({ entries, end });
      }),
    deadlineMs: DEADLINE_MS,
  });
  /** Settles each item of a batch with its number, and waits until the next batch has begun. */
  async function finish(index: number): Promise<void> {
    const batch = batches[index];
    for (const { item, resolve } of batch?.entries ?? []) resolve(item.n);
    batch?.end();
    await new Promise(setImmediate);
  }
  return {
    batches,
    finish,
    waiting: queues.waiting,
    numbers: () => batches.map(({ entries }) => entries.map(({ item }) => item.n)),
    add(n: number, { key = 'a', size = 1 } = {}) {
      const result = queues.add({ key, n, size });
      // An item that a case leaves waiting is refused at its deadline, after the end of the case.
      result.catch(() => undefined);
      return result;
    },
  };
}

/** Ignores the results of items that a case does not settle. */
function addMany(count: number, add: (n: number) => Promise<number>): Promise<PromiseSettledResult<number>[]> {
  return Promise.allSettled(Array.from({ length: count }, (_, n) => add(n)));
}

describe('the queues of creations', () => {
  it('a lone item runs immediately and alone', async () => {
    const { add, finish, numbers } = given();

    const results = [add(1)];
    expect(numbers()).toEqual([[1]]);
    await finish(0);
    results.push(add(2));
    expect(numbers()).toEqual([[1], [2]]);
    await finish(1);

    expect(await Promise.all(results)).toEqual([1, 2]);
  });

  it('items that arrive while one of their key runs become the next batch, in order of arrival', async () => {
    const { add, finish, numbers } = given();

    const results = [1, 2, 3, 4].map((n) => add(n));
    expect(numbers()).toEqual([[1]]);
    await finish(0);
    expect(numbers()).toEqual([[1], [2, 3, 4]]);
    results.push(add(5));
    await finish(1);
    await finish(2);

    expect(numbers()).toEqual([[1], [2, 3, 4], [5]]);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
  });

  it('items of another key do not wait', () => {
    const { add, numbers } = given();

    void add(1, { key: 'a' });
    void add(2, { key: 'b' });
    void add(3, { key: 'a' });

    expect(numbers()).toEqual([[1], [2]]);
  });

  it('a batch has at most 128 items', async () => {
    const { add, finish, batches } = given();

    void addMany(1 + 300, add);
    for (const index of [0, 1, 2]) await finish(index);

    expect(batches.map(({ entries }) => entries.length)).toEqual([1, 128, 128, 44]);
  });

  it('a batch of several items has at most 1 MiB; a larger item runs alone', async () => {
    const { add, finish, numbers } = given();
    const half = 524_288;

    const sizes = [1, half, half, 1, 3 * half, half];
    for (const [n, size] of sizes.entries()) void add(n, { size });
    for (const index of [0, 1, 2, 3]) await finish(index);

    expect(numbers()).toEqual([[0], [1, 2], [3], [4], [5]]);
  });

  it('the queue of creations refuses more than 2,000 waiting items immediately; later it has room again', async () => {
    const { add, finish } = given();
    const results = addMany(1 + 2_000, add);

    await expect(add(2_001)).rejects.toMatchObject(UNAVAILABLE);
    const lone = add(2_002, { key: 'b' });
    await expect(add(2_003, { key: 'b' })).rejects.toMatchObject(UNAVAILABLE);
    await finish(0);
    const later = add(2_004);
    for (let index = 1; index < 20; index += 1) await finish(index);

    expect(await lone).toBe(2_002);
    expect(await later).toBe(2_004);
    expect((await results).every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  it('waiting: counts the items of all keys that no batch has taken, until a batch or the deadline does', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { add, finish, waiting } = given();
      const counts = [waiting()];
      void addMany(3, add);
      void addMany(2, (n) => add(n, { key: 'b' }));
      counts.push(waiting());
      await finish(0);
      counts.push(waiting());
      vi.advanceTimersByTime(DEADLINE_MS);
      counts.push(waiting());

      expect(counts).toEqual([0, 2 + 1, 1, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('an item that waits until its deadline is refused and never sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { add, finish, numbers } = given();
      const first = add(1);
      const refused = add(2);
      vi.advanceTimersByTime(DEADLINE_MS - 1);
      const later = add(3);
      vi.advanceTimersByTime(1);

      await expect(refused).rejects.toMatchObject(UNAVAILABLE);
      await finish(0);
      await finish(1);

      expect(numbers()).toEqual([[1], [3]]);
      expect(await Promise.all([first, later])).toEqual([1, 3]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('an item whose deadline has passed by the clock is not sent, although its timer has not fired yet', async () => {
    // Time passes for the clock alone, as if the event loop was busy.
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { add, finish, numbers } = given();
      const first = add(1);
      const refused = [add(2), add(3)];
      vi.advanceTimersByTime(DEADLINE_MS - 1);
      const later = add(4);
      vi.advanceTimersByTime(1);
      await finish(0);
      await finish(1);

      for (const result of refused) await expect(result).rejects.toMatchObject(UNAVAILABLE);
      expect(numbers()).toEqual([[1], [4]]);
      expect(await Promise.all([first, later])).toEqual([1, 4]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('an item whose deadline passes while its batch runs is refused, and its entry says so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { add, finish, batches } = given();
      void add(1);
      const late = add(2);
      await finish(0);
      expect(batches[1]?.entries[0]?.isSettled).toBe(false);
      vi.advanceTimersByTime(DEADLINE_MS);

      await expect(late).rejects.toMatchObject(UNAVAILABLE);
      expect(batches[1]?.entries[0]?.isSettled).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('an error of a batch rejects the items that it has not settled; the next batch runs', async () => {
    const { add, batches, finish, numbers } = given();
    void add(1);
    const results = Promise.allSettled([add(2), add(3), add(4)]);
    await finish(0);
    const last = add(5);
    batches[1]?.entries[0]?.resolve(2);
    batches[1]?.entries[1]?.reject(new Error('only this one'));
    batches[1]?.end(new Error('the whole batch'));
    await new Promise(setImmediate);
    await finish(2);

    expect(await results).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('only this one') },
      { status: 'rejected', reason: new Error('the whole batch') },
    ]);
    expect(await last).toBe(5);
    expect(numbers()).toEqual([[1], [2, 3, 4], [5]]);
  });
});
