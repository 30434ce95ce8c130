import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { aDataKey, givenDataKey, replace } from '../records/data-keys.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, givenVerification, givenVerifications } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Races for data keys have one winner, and a replacement and a change of the verification do not undo one another. */
export const dataKeysAtOnceSuite: Suite = suiteOf('data keys at once', {
  'of twenty that put the first one, one does': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);

    const outcomes = await atOnce(20, (n) => replace(storage, 1, aDataKey(n)));

    expect(tally(outcomes)).toEqual({ replaced: 1, conflict: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'replaced');
    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(aDataKey(winner));
  },

  'of twenty that wrap one anew, one does': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);
    const expected = await givenDataKey(storage, 1, aDataKey(100));

    const outcomes = await atOnce(20, (n) => replace(storage, 1, aDataKey(n, 'key-2'), { expected }));

    expect(tally(outcomes)).toEqual({ replaced: 1, conflict: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'replaced');
    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(aDataKey(winner, 'key-2'));
  },

  'those of different verifications are all replaced': async (storage) => {
    await givenClient(storage);
    await givenVerifications(storage, [1, 20]);

    const outcomes = await atOnce(20, (n) => replace(storage, n + 1, aDataKey(n + 1)));

    expect(tally(outcomes)).toEqual({ replaced: 20 });
    for (const n of range(1, 20)) {
      expect(await storage.dataKeys.find(clientId(1), verificationId(n))).toEqual(aDataKey(n));
    }
  },

  'a replacement and a change of the verification at once both hold': async (storage) => {
    await givenClient(storage);
    await givenVerifications(storage, [1, 20]);
    for (const n of range(1, 20)) if (n % 2 === 0) await givenDataKey(storage, n, aDataKey(n));
    const changes = range(1, 20).map((n) => moved(aRecord(n), 'submitted', { answers: { n } }));
    const next = (n: number) => aDataKey(n, 'key-2');

    const outcomes = await Promise.all(
      range(1, 20).flatMap((n) => {
        const expected = n % 2 === 0 ? aDataKey(n) : null;
        const change = changes[n - 1] ?? aRecord(n);
        const both = [() => replace(storage, n, next(n), { expected }), () => commit(storage, change)];
        return (n % 3 === 0 ? both : both.toReversed()).map((begin) => begin());
      }),
    );

    expect(tally(outcomes)).toEqual({ replaced: 20, committed: 20 });
    for (const [index, change] of changes.entries()) {
      const stored = await storage.verifications.find(clientId(1), change.id);
      expect(stored).toEqual({ ...change, dataKey: next(index + 1) });
    }
  },
});
