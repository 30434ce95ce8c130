import { beforeEach, describe, expect, test } from 'vitest';
import { type ReadReview, rememberReview } from './remember-review.ts';
import { type Status, statusCounts } from './status.ts';

const START = Date.UTC(2026, 2, 31, 12);
const SECOND = 1_000;
const DAYS = { from: 20_000, until: 20_030 };

let now: number;
let reads: string[];
let read: ReadReview;

const queryOf = (clientId: string, days = DAYS) => ({ clientId, days, comparedFrom: days.from - 30 });
const createdAs = (status: Status, day = 20_007) => new Map([[day, statusCounts([[status, 2]])]]);
/** Asks and returns which read the answer is of. */
const ask = async (clientId: string, created = createdAs('submitted'), days = DAYS) =>
  (await read(queryOf(clientId, days), created)).waiting;

beforeEach(() => {
  now = START;
  reads = [];
  read = rememberReview(
    async ({ clientId }) => {
      reads.push(clientId);
      return { days: [], medianMs: null, medianBeforeMs: null, waiting: reads.length, waitingSince: null };
    },
    { now: () => new Date(now) },
  );
});

describe('the remembered review of a client', () => {
  test('an unchanged client is read again after 30 seconds', async () => {
    expect(await ask('a')).toBe(1);
    now += 30 * SECOND - 1;
    expect(await ask('a')).toBe(1);
    now += 1;
    expect(await ask('a')).toBe(2);
  });

  test.each([
    ['a status changed', () => ask('a', createdAs('approved'))],
    ['a verification of another day was submitted', () => ask('a', createdAs('submitted', 20_008))],
    ['the next day began', () => ask('a', createdAs('submitted'), { from: 20_001, until: 20_031 })],
    [
      'the clock was set back',
      () => {
        now -= 1;
        return ask('a');
      },
    ],
  ])('a client is read again immediately when %s', async (_what, askAgain) => {
    expect(await ask('a')).toBe(1);
    expect(await askAgain()).toBe(2);
  });

  test('a client whose only new verifications wait for the subject is not read again', async () => {
    const submitted = createdAs('submitted');
    expect(await ask('a', submitted)).toBe(1);
    const more = statusCounts([
      ['submitted', 2],
      ['pending', 5],
    ]);
    expect(await ask('a', new Map([[20_007, more]]))).toBe(1);
    expect(await ask('a', new Map([...submitted, ...createdAs('pending', 20_008)]))).toBe(1);
  });

  test('a client never gets the review of another', async () => {
    expect([await ask('a'), await ask('b'), await ask('a'), await ask('b')]).toEqual([1, 2, 1, 2]);
    expect(reads).toEqual(['a', 'b']);
  });

  test('the client that was read longest ago is forgotten above 500', async () => {
    for (let client = 0; client <= 500; client += 1) await ask(`client ${client}`);
    const { length } = reads;
    await ask('client 1');
    expect(reads).toHaveLength(length);
    await ask('client 0');
    expect(reads).toHaveLength(length + 1);
  });

  test('a client that is read again at 500 is remembered last, and no other is forgotten for it', async () => {
    for (let client = 0; client < 500; client += 1) await ask(`client ${client}`);
    await ask('client 5', createdAs('approved'));
    const { length } = reads;
    await ask('client 0');
    expect(reads).toHaveLength(length);
  });

  test('a failed read is tried again', async () => {
    let fails = true;
    read = rememberReview(
      async () => {
        if (fails) throw new Error('locked');
        return { days: [], medianMs: 7, medianBeforeMs: null, waiting: 0, waitingSince: null };
      },
      { now: () => new Date(now) },
    );
    await expect(ask('a')).rejects.toThrow('locked');
    fails = false;
    expect(await ask('a')).toBe(0);
  });
});
