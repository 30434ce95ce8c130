import type { ErasureLog, ErasureLogEntry } from '@countersign/domain/retention';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { frozen } from '../records/tampering.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** An erasure log, and how several servers use it. */
export interface ErasureLogsUnderTest {
  /** Returns an instance on the same entries: another one with each call, or the only one. */
  instance(): ErasureLog;
}

const AT = new Date('2026-11-23T01:02:03.004Z');

const erasureOf = (n: number): Omit<ErasureLogEntry, 'number'> =>
  frozen({ clientId: `client-${n % 3}`, verificationId: `verification-${n}`, at: new Date(AT.getTime() + n) });

async function append(log: ErasureLog, count: number): Promise<void> {
  for (const n of range(1, count)) await log.append(erasureOf(n));
}

const entriesOf = (first: number, last: number) => range(first, last).map((n) => ({ number: n, ...erasureOf(n) }));

export const erasureLogSuite: Suite<ErasureLogsUnderTest> = suiteOf<ErasureLogsUnderTest>('erasure log', {
  'head: is 0, and read finds nothing, before the first entry': async ({ instance }) => {
    const log = instance();
    expect([await log.head(), await log.read(0, 10)]).toEqual([0, []]);
  },
  'id: is null until the log gets one': async ({ instance }) => {
    expect(await instance().id()).toBeNull();
    expect(await instance().identify('log-1')).toBe('log-1');
    expect(await instance().id()).toBe('log-1');
  },
  'identify: the first id stays, and is returned to later calls': async ({ instance }) => {
    await instance().identify('log-1');
    expect(await instance().identify('log-2')).toBe('log-1');
    expect(await instance().id()).toBe('log-1');
  },
  'identify: of many at once in several instances, one sets the id and all return it': async ({ instance }) => {
    const logs = range(1, 3).map(instance);
    const ids = await atOnce(9, async (n) => (logs[n % 3] ?? instance()).identify(`log-${n}`));
    expect(new Set(ids)).toEqual(new Set([await instance().id()]));
  },
  'identify: changes no entry, and entries follow': async ({ instance }) => {
    await append(instance(), 2);
    await instance().identify('log-1');
    expect((await instance().append(erasureOf(3))).number).toBe(3);
    expect(await instance().read(0, 10)).toEqual(entriesOf(1, 3));
  },
  'append: returns the entry with its number, from 1 on': async ({ instance }) => {
    const log = instance();
    for (const n of range(1, 3)) expect(await log.append(erasureOf(n))).toEqual({ number: n, ...erasureOf(n) });
    expect(await log.head()).toBe(3);
  },
  'append: gives a verification that has an entry another one': async ({ instance }) => {
    const log = instance();
    await log.append(erasureOf(1));
    expect((await log.append(erasureOf(1))).number).toBe(2);
    expect((await log.read(0, 10)).map(({ verificationId }) => verificationId)).toEqual(
      Array(2).fill('verification-1'),
    );
  },
  'append: another instance goes on with the numbers, and finds all entries': async ({ instance }) => {
    for (const n of range(1, 4)) expect((await instance().append(erasureOf(n))).number).toBe(n);
    expect([await instance().head(), await instance().read(0, 10)]).toEqual([4, entriesOf(1, 4)]);
  },
  'read: returns what was appended, in the order of the numbers, to the millisecond': async ({ instance }) => {
    await append(instance(), 12);
    expect(await instance().read(0, 100)).toEqual(entriesOf(1, 12));
  },
  'read: begins behind the number given, and returns at most as many as asked for': async ({ instance }) => {
    const log = instance();
    await append(log, 5);
    expect(await log.read(2, 2)).toEqual(entriesOf(3, 4));
    expect(await log.read(3, 100)).toEqual(entriesOf(4, 5));
    for (const after of [5, 6, 1_000]) expect(await log.read(after, 10), `after ${after}`).toEqual([]);
    expect(await log.read(0, 0)).toEqual([]);
  },
  'put: completes a log under the numbers given, and append goes on after them': async ({ instance }) => {
    await append(instance(), 2);
    for (const entry of entriesOf(3, 5)) await instance().put(entry);
    expect([await instance().head(), await instance().read(0, 10)]).toEqual([5, entriesOf(1, 5)]);
    expect((await instance().append(erasureOf(6))).number).toBe(6);
  },
  'put: an entry that the log has is no error, and changes nothing': async ({ instance }) => {
    await append(instance(), 3);
    for (const entry of entriesOf(1, 3)) await instance().put(entry);
    expect(await instance().read(0, 10)).toEqual(entriesOf(1, 3));
  },
  'put: rejects another entry under a number that is taken, and changes nothing': async ({ instance }) => {
    await append(instance(), 3);
    const others = [
      { clientId: 'client-9' },
      { verificationId: 'verification-9' },
      { at: new Date(AT.getTime() + 9) },
    ];
    for (const other of others) {
      await expect(
        instance().put({ number: 2, ...erasureOf(2), ...other }),
        JSON.stringify(other),
      ).rejects.toThrow();
    }
    expect(await instance().read(0, 10)).toEqual(entriesOf(1, 3));
  },
  'put: rejects an entry that would leave a gap, and changes nothing': async ({ instance }) => {
    await append(instance(), 1);
    await expect(instance().put({ number: 3, ...erasureOf(3) })).rejects.toThrow();
    expect([await instance().head(), await instance().read(0, 10)]).toEqual([1, entriesOf(1, 1)]);
  },
  'probe: writes no entry, before the first one and after others': async ({ instance }) => {
    await instance().probe();
    expect(await instance().head()).toBe(0);
    await append(instance(), 2);
    await instance().probe();
    expect(await instance().read(0, 10)).toEqual(entriesOf(1, 2));
  },
  'put: of many at once in several instances, each entry is written once': async ({ instance }) => {
    const logs = range(1, 3).map(instance);
    for (const entry of entriesOf(1, 8)) await Promise.all(logs.map((log) => log.put(entry)));
    expect(await instance().read(0, 100)).toEqual(entriesOf(1, 8));
  },
  'append: of many at once in several instances, each gets a number of its own, without gaps': async ({
    instance,
  }) => {
    const logs = range(1, 3).map(instance);
    const written = await atOnce(30, async (n) => (logs[n % 3] ?? instance()).append(erasureOf(n)));
    const inOrder = written.toSorted((one, other) => one.number - other.number);
    expect(inOrder.map(({ number }) => number)).toEqual(range(1, 30));
    expect(await instance().read(0, 100)).toEqual(inOrder);
  },
});

/** The suites of `erasureLogContract`, for mutation tests. */
export const ERASURE_LOG_SUITES: readonly Suite<ErasureLogsUnderTest>[] = [erasureLogSuite];
