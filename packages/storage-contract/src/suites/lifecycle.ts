import { expect } from 'vitest';
import { atOnce, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { aRecord } from '../records/records.ts';
import { refusalOf } from '../records/refusal.ts';
import { createCharged } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** From a fresh storage to a closed one. */
export const lifecycleSuite: Suite = suiteOf('lifecycle', {
  'a fresh storage is empty and answers': async (storage) => {
    expect(await refusalOf(storage.ping())).toBeNull();

    expect(await storage.clients.list()).toEqual([]);
  },

  'a storage answers while and after it works': async (storage) => {
    await givenClient(storage);

    const [outcomes] = await Promise.all([
      atOnce(20, (n) => createCharged(storage, aRecord(n))),
      atOnce(10, () => storage.ping()),
    ]);

    expect(tally(outcomes)).toEqual({ created: 20 });
    expect(await refusalOf(storage.ping())).toBeNull();
  },

  'closing twice is no error, one after the other or at once': async (storage) => {
    await givenClient(storage);

    expect(await refusalOf(Promise.all([storage.close(), storage.close()]))).toBeNull();

    expect(await refusalOf(storage.close())).toBeNull();
  },

  'a storage that was never used can be closed': async (storage) => {
    expect(await refusalOf(storage.close())).toBeNull();
  },

  'closing waits for writes that have begun': async (storage) => {
    await givenClient(storage);
    let settled = 0;

    const writes = atOnce(20, async (n) => {
      const outcome = await createCharged(storage, aRecord(n));
      settled += 1;
      return outcome;
    });
    await storage.close();
    // An answer may take some turns through promises to whoever waits for it; nothing else happens meanwhile.
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
    const settledWhenClosed = settled;

    expect(tally(await writes)).toEqual({ created: 20 });
    expect(settledWhenClosed).toBe(20);
  },
});
