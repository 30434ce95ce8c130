import { expect, it } from 'vitest';
import { PLACE, receipt } from '../../test-support/erasures.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import type { ErasureLog, ErasureLogEntry } from './erasure.ts';
import { compareErasureLog, createIdentifiedLog } from './identify-log.ts';
import type { RetentionRepository } from './retention-repository.ts';

const ENTRY: ErasureLogEntry = { number: 1, ...PLACE, at: NOW };

/** Makes a log with this id, whose operations record their calls. */
function given(id: string | null = 'log') {
  const used: unknown[] = [];
  const log: ErasureLog = {
    id: async () => id,
    identify: async (wanted) => {
      used.push(['identify', wanted]);
      return id ?? wanted;
    },
    append: async (entry) => ({ ...entry, number: 2 }),
    put: async (entry) => void used.push(['put', entry]),
    read: async (after, limit) => {
      used.push(['read', after, limit]);
      return [ENTRY];
    },
    head: async () => 1,
    probe: async () => void used.push(['probe']),
  };
  return { log, used };
}

/** Makes a database that knows this id of its log. @param stored what storing another id returns */
function database(known: string | null, stored: string | null = known) {
  let reads = 0;
  const retention = portWith<RetentionRepository>({
    erasureLogId: async () => {
      reads += 1;
      return known;
    },
    setErasureLogId: async (id) => stored ?? id,
    lastErasure: async () => 1,
    erasure: async () => receipt(1),
  });
  return { retention, reads: () => reads };
}

const ids = { next: () => 'new' };

it('the log passes each use on, and its id is compared with the database once', async () => {
  const { log, used } = given();
  const { retention, reads } = database('log');
  const identified = createIdentifiedLog(retention, log, ids);
  expect([await identified.id(), await identified.identify('other')]).toEqual(['log', 'log']);
  await identified.put(ENTRY);
  expect(await identified.read(0, 5)).toEqual([ENTRY]);
  await identified.probe();
  expect(await identified.append(ENTRY)).toEqual({ ...ENTRY, number: 2 });
  expect(await identified.head()).toBe(1);
  expect(used).toEqual([['identify', 'other'], ['put', ENTRY], ['read', 0, 5], ['probe']]);
  expect(reads()).toBe(1);
});

it.each([
  [null, 'missing'],
  ['other', 'other_log'],
])('a log that is replaced by one with the id %j after its first use is refused as %s', async (id, problem) => {
  let { log } = given();
  const folder = portWith<ErasureLog>({ id: () => log.id(), head: () => log.head() });
  const identified = createIdentifiedLog(database('log').retention, folder, ids);
  expect(await identified.head()).toBe(1);
  ({ log } = given(id));
  await expect(identified.head()).rejects.toMatchObject({ problem });
});

it('a log is refused if another instance stores the id of another one at the same time', async () => {
  const identified = createIdentifiedLog(database(null, 'other').retention, given().log, ids);
  await expect(identified.head()).rejects.toMatchObject({ problem: 'other_log' });
});

it('a log whose last common entry has the verification of a receipt, but another client, is of another database', async () => {
  const { retention } = database(null);
  expect(await compareErasureLog(retention, given().log)).toBeNull();
  const { log } = given();
  const foreign = { ...log, read: async () => [{ ...ENTRY, clientId: 'client-2' }] };
  expect(await compareErasureLog(retention, foreign)).toBe('other_entries');
});
