import type { RetainedVerification, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range } from '../../records/at-once.ts';
import { givenClient } from '../../records/clients.ts';
import { clientId, minute, verificationId } from '../../records/ids.ts';
import { expectUnchanged } from '../../records/picture.ts';
import {
  aReceipt,
  ERASED_AT,
  erasureOf,
  givenBegun,
  NO_IDS,
  place,
  receipts,
  retained,
} from '../../records/retention.ts';
import { type Suite, suiteGiven } from '../../suite.ts';

/** The first client's verification 1 is erased with number 3. Verification 2 is due as well, but its erasure has just begun. */
async function givenErased(storage: Storage): Promise<RetainedVerification> {
  await givenClient(storage);
  await givenClient(storage, 2);
  await givenBegun(storage, 2);
  const begun = await givenBegun(storage, 1);
  const { outcome } = await storage.retention.erase(erasureOf(begun, { number: 3 }));
  expect(outcome, 'set-up of the case: retention.erase').toBe('erased');
  return retained(storage, 1);
}

const FINISHED_AT = minute(777, 7);

/** The end of an erasure, when no file is left. */
export const finishedErasuresSuite: Suite = suiteGiven('finished erasures', givenErased, {
  'finish: sets the time in the receipt, and the verification is not due any more': async (storage, erased) => {
    const receipt = await storage.retention.erasure(3);

    await storage.retention.finish({ clientId: clientId(1), number: 3 }, FINISHED_AT);

    expect(await storage.retention.erasure(3)).toEqual({ ...receipt, finishedAt: FINISHED_AT });
    expect(await retained(storage, 1)).toEqual({ ...erased, retentionCheckAt: null });
    const due = await storage.retention.due({ now: minute(9_999), limit: 10 });
    expect(due.map(({ id }) => id)).toEqual([verificationId(2)]);
  },

  'erase: the verification stays due until its erasure is finished': async (_, erased) => {
    expect(erased.retentionCheckAt).toEqual(ERASED_AT);
  },

  'finish: repeating it changes nothing': async (storage) => {
    await storage.retention.finish({ clientId: clientId(1), number: 3 }, FINISHED_AT);
    const before = await receipts(storage);

    await expectUnchanged(storage, () =>
      storage.retention.finish({ clientId: clientId(1), number: 3 }, minute(999)),
    );

    expect(await receipts(storage)).toEqual(before);
  },

  'finish: of many at once, one sets the time': async (storage) => {
    await atOnce(10, (n) => storage.retention.finish({ clientId: clientId(1), number: 3 }, minute(900 + n)));

    const finishedAt = (await storage.retention.erasure(3))?.finishedAt;
    expect(range(0, 9).map((n) => minute(900 + n))).toContainEqual(finishedAt);
    await storage.retention.finish({ clientId: clientId(1), number: 3 }, minute(999));
    expect((await storage.retention.erasure(3))?.finishedAt).toEqual(finishedAt);
  },

  'finish: another client and an unknown number change nothing': async (storage) => {
    const before = await receipts(storage);

    await expectUnchanged(storage, async () => {
      await storage.retention.finish({ clientId: clientId(2), number: 3 }, FINISHED_AT);
      await storage.retention.finish({ clientId: clientId(1), number: 4 }, FINISHED_AT);
      for (const id of NO_IDS) await storage.retention.finish({ clientId: id, number: 3 }, FINISHED_AT);
    });

    expect(await receipts(storage)).toEqual(before);
  },

  'recordErasure: stores a receipt of an unknown verification and of an unknown client': async (storage) => {
    const [unknown, foreign] = [aReceipt(8, place(88)), aReceipt(7, place(1, 77))];

    await storage.retention.recordErasure(unknown);
    await storage.retention.recordErasure(foreign);

    expect((await receipts(storage)).slice(1)).toEqual([foreign, unknown]);
    expect(await storage.retention.erasure(8)).toEqual(unknown);
  },

  'recordErasure: changes nothing if the number has a receipt': async (storage) => {
    const receipt = aReceipt(8, place(88));
    await storage.retention.recordErasure(receipt);
    const before = await receipts(storage);

    await expectUnchanged(storage, async () => {
      await storage.retention.recordErasure(aReceipt(3, place(2)));
      await storage.retention.recordErasure(aReceipt(3, place(1, 2)));
      await storage.retention.recordErasure({ ...receipt, at: minute(1), rule: 'unfinished' });
    });

    expect(await receipts(storage)).toEqual(before);
  },

  'recordErasure: changes no verification': async (storage) => {
    await expectUnchanged(storage, () => storage.retention.recordErasure(aReceipt(8, place(2))));
  },
});

/** Receipts 2 to 9, stored in another order; the odd ones are of the second client. */
async function givenReceipts(storage: Storage): Promise<void> {
  await givenClient(storage);
  await givenClient(storage, 2);
  for (const n of [5, 2, 9, 3, 8, 6]) {
    await storage.retention.recordErasure(aReceipt(n, { clientId: clientId(1 + (n % 2)) }));
  }
}

/** Reads of receipts. */
export const receiptsSuite: Suite = suiteGiven('receipts of erasures', givenReceipts, {
  'erasures: lists those after a number, in the order of numbers, up to the limit': async (storage) => {
    const numbers = async (after: number, limit: number) =>
      (await storage.retention.erasures({ after, limit })).map(({ number }) => number);

    expect(await numbers(0, 100)).toEqual([2, 3, 5, 6, 8, 9]);
    expect(await numbers(0, 2)).toEqual([2, 3]);
    expect(await numbers(3, 2)).toEqual([5, 6]);
    expect(await numbers(8, 2)).toEqual([9]);
    expect(await numbers(9, 2)).toEqual([]);
  },

  'erasures: of one client are its own': async (storage) => {
    const numbers = async (clientId: string, after = 0) =>
      (await storage.retention.erasures({ clientId, after, limit: 2 })).map(({ number }) => number);

    expect(await numbers(clientId(1))).toEqual([2, 6]);
    expect(await numbers(clientId(1), 6)).toEqual([8]);
    expect(await numbers(clientId(2))).toEqual([3, 5]);
    for (const id of NO_IDS) expect(await numbers(id), id).toEqual([]);
  },

  'erasures: of a period begin at its first moment and end before its last': async (storage) => {
    const numbers = async (from?: Date, until?: Date) =>
      (await storage.retention.erasures({ from, until, after: 0, limit: 100 })).map(({ number }) => number);
    const at = (n: number) => aReceipt(n).at;

    expect(await numbers(at(3), at(8))).toEqual([3, 5, 6]);
    expect(await numbers(at(8))).toEqual([8, 9]);
    expect(await numbers(undefined, at(3))).toEqual([2]);
    const ofClient = { clientId: clientId(2), from: at(3), until: at(9), after: 3, limit: 100 };
    expect((await storage.retention.erasures(ofClient)).map(({ number }) => number)).toEqual([5]);
  },

  'erasure: finds the receipt with a number, unchanged; null without one': async (storage) => {
    expect(await storage.retention.erasure(5)).toEqual(aReceipt(5, { clientId: clientId(2) }));
    expect(await storage.retention.erasure(4)).toBeNull();
    expect(await storage.retention.erasure(0)).toBeNull();
  },

  'lastErasure: is the highest number': async (storage) => {
    expect(await storage.retention.lastErasure()).toBe(9);
    await storage.retention.recordErasure(aReceipt(20, { clientId: clientId(2) }));
    expect(await storage.retention.lastErasure()).toBe(20);
  },

  'withoutReceipt: returns the numbers without a receipt, in their order': async (storage) => {
    const without = (...numbers: number[]) => storage.retention.withoutReceipt(numbers);

    expect(await without(10, 9, 1, 2, 7, 4)).toEqual([10, 1, 7, 4]);
    expect(await without(2, 3)).toEqual([]);
    expect(await without()).toEqual([]);
    expect(await without(...range(1, 1_000))).toEqual([1, 4, 7, ...range(10, 1_000)]);
  },
});

async function givenNoReceipts(storage: Storage): Promise<void> {
  await givenClient(storage);
}

/** Reads before the first erasure. */
export const noReceiptsSuite: Suite = suiteGiven('no receipts of erasures', givenNoReceipts, {
  'lastErasure: is 0 before the first': async (storage) => {
    expect(await storage.retention.lastErasure()).toBe(0);
    expect(await receipts(storage)).toEqual([]);
  },
});
