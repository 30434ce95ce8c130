import { expect, it } from 'vitest';
import { createSession, type Session, type Span } from './session.ts';
import { createSortedMap } from './sorted-map.ts';
import type { StoreWrite } from './store.ts';

const keyAt = (n: number): string => `K${String(n).padStart(4, '0')}`;

/** A session on a store with entries, and what it reads and writes. */
function givenSession(entries: Iterable<[string, unknown]>) {
  const map = createSortedMap<unknown>();
  for (const [key, value] of entries) map.set(key, value);
  const limits: number[] = [];
  const written: StoreWrite[] = [];
  const session = createSession({
    async run(operation) {
      const { result, writes } = operation({
        get: map.get,
        range(range) {
          limits.push(range.limit);
          return map.range(range);
        },
      });
      written.push(...writes);
      return result;
    },
  });
  return { session, limits, written };
}

/** The entries of a span, as a session must read them. */
function entriesOf(model: ReadonlyMap<string, unknown>, { from, until, backwards }: Span): [string, unknown][] {
  const inSpan = [...model].filter(([key]) => key >= from && key < until).sort(([a], [b]) => (a < b ? -1 : 1));
  return backwards ? inSpan.reverse() : inSpan;
}

const SPANS: readonly Span[] = [
  [0, 400],
  [0, 9],
  [7, 33],
  [8, 8],
  [50, 250],
].flatMap(([from = 0, until = 0]) =>
  [false, true].map((backwards) => ({ from: keyAt(from), until: keyAt(until), backwards })),
);

/** Changes of every `n`th key from a first to a last one: its new value, or undefined to delete the key. */
type Change = readonly [first: number, last: number, nth: number, value: string | undefined];

const CHANGES: readonly (readonly Change[])[] = [
  [],
  [[1, 300, 2, 'new']],
  [[0, 300, 2, undefined]],
  [[0, 20, 1, 'new']],
  [[0, 60, 1, undefined]],
  [[200, 300, 1, undefined]],
  [[290, 400, 1, 'new']],
  [
    [0, 300, 3, 'new'],
    [0, 300, 5, undefined],
  ],
  [
    [1, 100, 7, 'new'],
    [100, 180, 1, undefined],
    [101, 180, 30, 'again'],
  ],
];

it.each(CHANGES.map((changes) => [JSON.stringify(changes), changes] as const))(
  'range: reads what is stored with the writes of the operation: %s',
  async (_name, changes) => {
    const stored = Array.from({ length: 150 }, (_, n): [string, unknown] => [keyAt(2 * n), 'old']);
    const model = new Map(stored);
    const { session, written } = givenSession(stored);
    const change = ({ set, delete: remove }: Pick<Session, 'set' | 'delete'>): void => {
      for (const [first, last, nth, value] of changes)
        for (let n = first; n < last; n += nth) {
          if (value === undefined) remove(keyAt(n));
          else set(keyAt(n), value);
        }
    };

    const read = await session.run(() => {
      change(session);
      return SPANS.map((span) => [...session.range(span)].map(([key, value]) => [key, value]));
    }, []);

    change({ set: (key, value) => model.set(key, value), delete: (key) => model.delete(key) });
    expect(read).toEqual(SPANS.map((span) => entriesOf(model, span)));
    const last = new Map(written.map(({ key, value }) => [key, value]));
    expect(last.size).toBe(written.length);
    for (const [key, value] of last) expect(model.get(key)).toBe(value);
  },
);

it('range: reads parts that grow up to a limit, and no more than the caller asks for', async () => {
  const { session, limits } = givenSession(Array.from({ length: 5_000 }, (_, n) => [keyAt(n), n]));
  const all: Span = { from: 'K', until: 'L', backwards: false };

  expect(await session.run(() => [...session.range(all)].length, [])).toBe(5_000);
  expect(limits.splice(0)).toEqual([8, 32, 128, 512, 2_048, 2_048, 2_048]);
  await session.run(() => session.range(all)[Symbol.iterator]().next().value?.[1], []);
  expect(limits).toEqual([8]);
});

it('a session outside of an operation is refused, also after an operation that failed', async () => {
  const { session } = givenSession([]);
  const failing = session.run(() => {
    throw new Error('a rule');
  }, []);

  await expect(failing).rejects.toThrow('a rule');
  expect(() => session.get('K')).toThrow('No operation runs');
});

it('writes of an operation that failed are forgotten', async () => {
  const { session, written } = givenSession([]);
  const failing = session.run(() => {
    session.set('K1', 1);
    throw new Error('a rule');
  }, []);
  await expect(failing).rejects.toThrow('a rule');

  await session.run(() => session.set('K2', 2), []);

  expect(written).toEqual([{ key: 'K2', value: 2 }]);
});

it('a key that cannot be stored is not found, and cannot be set', async () => {
  const { session, limits } = givenSession([]);
  const long = `K${'x'.repeat(1_900)}`;

  await session.run(() => {
    expect(session.get(long)).toBeUndefined();
    expect([...session.range({ from: long, until: 'L', backwards: false })]).toEqual([]);
    expect(() => session.set(long, 1)).toThrow('A key of 1901 characters is too long to be stored');
  }, []);

  expect(limits).toEqual([]);
});
