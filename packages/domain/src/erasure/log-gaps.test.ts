import { describe, expect, it } from 'vitest';
import { receipt } from '../../test-support/erasures.ts';
import { portWith } from '../../test-support/port-with.ts';
import type { ErasureLog } from './erasure.ts';
import { ErasureLogMismatch, type ErasureLogProblem } from './identify-log.ts';
import { completeErasureLog, countMissingInLog } from './log-gaps.ts';

const retention = { lastErasure: async () => 5 };
const refusing = (problem: ErasureLogProblem) => ({ head: () => Promise.reject(new ErasureLogMismatch(problem)) });

it.each([
  ['has all', 5, 0],
  ['has the entry of an erasure under way', 6, 0],
  ['lacks the newest two', 3, 2],
])('a log that %s', async (_, head, missing) => {
  expect(await countMissingInLog(retention, { head: async () => head })).toBe(missing);
});

it('a lost log lacks all erasures; a log of another database cannot be compared', async () => {
  expect(await countMissingInLog(retention, refusing('missing'))).toBe(5);
  await expect(countMissingInLog(retention, refusing('other_log'))).rejects.toMatchObject({
    problem: 'other_log',
  });
});

describe('completeErasureLog', () => {
  /** Completes an empty log from this many receipts. @param operations of the log */
  async function completing(known: string | null, receipts: number, operations: Partial<ErasureLog>) {
    const put: number[] = [];
    const all = Array.from({ length: receipts }, (_, index) => receipt(index + 1));
    const database = {
      erasureLogId: async () => known,
      erasure: async () => null,
      erasures: async ({ after, limit }: { after: number; limit: number }) => all.slice(after, after + limit),
    };
    const log = portWith<ErasureLog>({
      id: async () => null,
      head: async () => 0,
      put: async ({ number }) => void put.push(number),
      ...operations,
    });
    return { written: await completeErasureLog(database, log), put };
  }

  it('completes a log from more receipts than one read has', async () => {
    const { written, put } = await completing(null, 1_001, {});
    expect(written).toBe(1_001);
    expect(put).toEqual(Array.from({ length: 1_001 }, (_, index) => index + 1));
  });

  it('completes a log with an id that the database does not know, and one with the id of the database', async () => {
    const id = async () => 'log';
    // A log is given no id that the database does not know: it would need `identify`.
    expect(await completing(null, 1, { id })).toEqual({ written: 1, put: [1] });
    expect(await completing('log', 1, { id, identify: id })).toEqual({ written: 1, put: [1] });
  });

  it('refuses a log that another process gives another id meanwhile', async () => {
    await expect(completing('log', 0, { identify: async () => 'other' })).rejects.toMatchObject({
      problem: 'other_log',
    });
  });
});
