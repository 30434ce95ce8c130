import {
  compareErasureLog,
  completeErasureLog,
  createIdentifiedLog,
  type Erasure,
  type ErasureLog,
  ErasureLogMismatch,
  type ErasureLogProblem,
} from '@countersign/domain/retention';
import type { Storage } from '@countersign/domain/storage';
import { createCountingIds, createMemoryErasureLog, createMemoryStorage } from '@countersign/memory';
import { describe, expect, it } from 'vitest';

const AT = new Date('2026-03-10T12:00:00.000Z');

const entryOf = (n: number) => ({ clientId: 'client-1', verificationId: `verification-${n}`, at: AT });

const receiptOf = (n: number): Erasure & { finishedAt: Date } => ({
  ...entryOf(n),
  number: n,
  rule: 'requested',
  steps: 0,
  files: 0,
  events: 0,
  hash: '0'.repeat(64),
  finishedAt: AT,
});

interface Situation {
  /** The id in the database. */
  readonly known?: string;
  readonly receipts?: readonly number[];
  /** The id of the log. */
  readonly id?: string;
  readonly entries?: readonly number[];
}

async function given({ known, receipts = [], id, entries = [] }: Situation) {
  const { retention } = createMemoryStorage();
  if (known !== undefined) await retention.setErasureLogId(known);
  for (const number of receipts) await retention.recordErasure(receiptOf(number));
  const log = createMemoryErasureLog();
  for (const n of entries) await log.append(entryOf(n));
  if (id !== undefined) await log.identify(id);
  return { retention, log, open: (ids = createCountingIds()) => createIdentifiedLog(retention, log, ids) };
}

const idsOf = async ({ retention, log }: { retention: Storage['retention']; log: ErasureLog }) => [
  await retention.erasureLogId(),
  await log.id(),
];

// The table of docs/decisions/0023-erasure-log-id.md.
describe('a log is used, and both have its id,', () => {
  it.each<[string, Situation, string | undefined]>([
    ['at the first start', {}, undefined],
    ['after an upgrade', { receipts: [1, 2], entries: [1, 2] }, undefined],
    ['after an upgrade, with an entry of a killed process', { receipts: [1, 2], entries: [1, 2, 3] }, undefined],
    ['after an upgrade, with a number without a receipt', { receipts: [1, 3], entries: [1, 9] }, undefined],
    ['after an upgrade, with a log that lost its newest entry', { receipts: [1, 2], entries: [1] }, undefined],
    ['by a backup from before ids', { receipts: [1], id: 'log', entries: [1, 2] }, 'log'],
    ['by a backup without id and receipts', { id: 'log', entries: [1, 2] }, 'log'],
    ['after a restore', { known: 'log', receipts: [1], id: 'log', entries: [1, 2] }, 'log'],
    ['although it lost its newest entries', { known: 'log', receipts: [1, 2], id: 'log', entries: [1] }, 'log'],
    ['although it lost all entries', { known: 'log', receipts: [1, 2], id: 'log' }, 'log'],
  ])('%s', async (_when, situation, expected) => {
    const at = await given(situation);
    expect(await compareErasureLog(at.retention, at.log)).toBeNull();
    expect(await idsOf(at), 'a comparison changes nothing').toEqual([
      situation.known ?? null,
      situation.id ?? null,
    ]);

    expect(await at.open().head()).toBe(situation.entries?.length ?? 0);

    const [known, id] = await idsOf(at);
    expect([known, id]).toEqual([expected ?? id, expected ?? known]);
    expect(known).not.toBeNull();
  });
});

describe('a log is refused, and both stay as they are,', () => {
  it.each<[string, Situation, ErasureLogProblem]>([
    ['if it is lost before it got an id', { receipts: [1] }, 'missing'],
    ['if a new one is in its place', { receipts: [1], id: 'new' }, 'missing'],
    ['if it is not mounted', { known: 'log' }, 'missing'],
    ['if it is not mounted after erasures', { known: 'log', receipts: [1] }, 'missing'],
    ['if its id was not copied', { known: 'log', receipts: [1], entries: [1] }, 'missing'],
    ['if it is of another installation', { known: 'log', receipts: [1], id: 'other', entries: [1] }, 'other_log'],
    ['if its last common entry differs', { receipts: [1, 2], entries: [1, 9, 3] }, 'other_entries'],
    [
      'if it has an id and its last common entry differs',
      { receipts: [1], id: 'o', entries: [9] },
      'other_entries',
    ],
  ])('%s', async (_when, situation, problem) => {
    const at = await given(situation);
    expect(await compareErasureLog(at.retention, at.log)).toBe(problem);
    const log = at.open();
    for (const use of [
      () => log.head(),
      () => log.probe(),
      () => log.read(0, 1),
      () => log.append(entryOf(7)),
      () => log.put({ ...entryOf(7), number: 1 }),
    ]) {
      const refused = use();
      await expect(refused).rejects.toBeInstanceOf(ErasureLogMismatch);
      await expect(refused).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', problem });
    }
    expect(await idsOf(at)).toEqual([situation.known ?? null, situation.id ?? null]);
    expect(await at.log.head()).toBe(situation.entries?.length ?? 0);
  });
});

it('a log that is unmounted while it is used is refused, and used again once it is back', async () => {
  const { retention, log } = await given({});
  let mounted: ErasureLog = log;
  const empty = createMemoryErasureLog();
  const folder: ErasureLog = {
    id: () => mounted.id(),
    identify: (id) => mounted.identify(id),
    append: (entry) => mounted.append(entry),
    put: (entry) => mounted.put(entry),
    read: (after, limit) => mounted.read(after, limit),
    head: () => mounted.head(),
    probe: () => mounted.probe(),
  };
  const used = createIdentifiedLog(retention, folder, createCountingIds());
  await used.append(entryOf(1));

  mounted = empty;
  await expect(used.append(entryOf(2))).rejects.toMatchObject({ problem: 'missing' });
  expect([await empty.id(), await empty.head()]).toEqual([null, 0]);

  mounted = log;
  expect((await used.append(entryOf(2))).number).toBe(2);
});

it('of instances that start at the same time, all use one id; one with another log is refused', async () => {
  const at = await given({});
  const logs = ['a', 'b', 'c'].map((name) => at.open({ next: () => name }));
  await Promise.all(logs.map((log) => log.head()));
  const [known, id] = await idsOf(at);
  expect(known).toBe(id);
  const apart = createIdentifiedLog(at.retention, createMemoryErasureLog(), createCountingIds());
  await expect(apart.head()).rejects.toMatchObject({ problem: 'missing' });
});

describe('the completion of a log', () => {
  it('rebuilds a lost one, with the id of the database', async () => {
    const at = await given({ known: 'log', receipts: [1, 2] });
    expect(await completeErasureLog(at.retention, at.log)).toBe(2);
    expect([...(await idsOf(at)), await at.open().head()]).toEqual(['log', 'log', 2]);
  });

  it('gives the id to one without erasures, and to one that was copied without it', async () => {
    for (const situation of [{ known: 'log' }, { known: 'log', receipts: [1], entries: [1] }]) {
      const at = await given(situation);
      expect(await completeErasureLog(at.retention, at.log)).toBe(0);
      expect(await idsOf(at)).toEqual(['log', 'log']);
    }
  });

  it('leaves one without an id that the database knows none of, and the next start adopts it', async () => {
    const at = await given({ receipts: [1] });
    await completeErasureLog(at.retention, at.log);
    expect(await idsOf(at)).toEqual([null, null]);
    expect(await at.open().head()).toBe(1);
  });

  it('refuses one with another id, and gives none to one with other entries', async () => {
    const other = await given({ known: 'log', receipts: [1], id: 'other' });
    await expect(completeErasureLog(other.retention, other.log)).rejects.toMatchObject({ problem: 'other_log' });
    expect(await other.log.head()).toBe(0);
    const forked = await given({ known: 'log', receipts: [1], entries: [9] });
    await expect(completeErasureLog(forked.retention, forked.log)).rejects.toThrow('is another one');
    expect(await forked.log.id()).toBeNull();
  });
});
