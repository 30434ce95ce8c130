import { expect } from 'vitest';
import { isLeftOut } from '../left-out.ts';
import { atOnce, expectRejected, refusalOf, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { eventOf } from '../records/events.ts';
import { clientId, eventId, keyId } from '../records/ids.ts';
import { aKey, givenKey, givenKeys, keyHash } from '../records/keys.ts';
import { expectUnchanged, pictureOf } from '../records/picture.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification, wholeOf } from '../records/verifications.ts';
import { fanOutAll } from '../records/webhooks.ts';
import { type Suite, suiteGiven, suiteOf } from '../suite.ts';

/** Opening, pinging and closing a storage. */
export const lifecycleSuite: Suite = suiteOf('lifecycle', {
  'ping: a new storage is empty and answers': async (storage) => {
    expect(await refusalOf(storage.ping())).toBeNull();

    expect(await storage.clients.list()).toEqual([]);
  },

  'ping: answers during and after writes': async (storage) => {
    await givenClient(storage);

    const [outcomes] = await Promise.all([
      atOnce(20, (n) => createCharged(storage, aRecord(n))),
      atOnce(10, () => storage.ping()),
    ]);

    expect(tally(outcomes)).toEqual({ created: 20 });
    expect(await refusalOf(storage.ping())).toBeNull();
  },

  'close: may be called twice, in turn or at the same time': async (storage) => {
    await givenClient(storage);

    expect(await refusalOf(Promise.all([storage.close(), storage.close()]))).toBeNull();

    expect(await refusalOf(storage.close())).toBeNull();
  },

  'close: closes a storage that was never used': async (storage) => {
    expect(await refusalOf(storage.close())).toBeNull();
  },

  'close: waits for writes that have begun': async (storage) => {
    await givenClient(storage);
    let settled = 0;

    const writes = atOnce(20, async (n) => {
      const outcome = await createCharged(storage, aRecord(n));
      settled += 1;
      return outcome;
    });
    await storage.close();
    // A promise may need some turns to settle.
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
    const settledWhenClosed = settled;

    expect(tally(await writes)).toEqual({ created: 20 });
    expect(settledWhenClosed).toBe(20);
  },
});

/**
 * Requests that the domain never makes: taken ids and hashes. The storage rejects them with an error, changes nothing and
 * replaces nothing.
 */
export const faultsSuite: Suite = suiteGiven('faults', givenClient, {
  'create: rejects a taken id and replaces, charges and sends nothing': async (storage) => {
    const first = await givenVerification(storage, 1, { status: 'submitted' });

    await expectUnchanged(storage, async () => {
      const again = { ...aRecord(2), id: first.id };

      const creation = createCharged(storage, again, { event: eventOf(again, { id: eventId(1) }) });
      await expectRejected(creation, 'createCharged with the id of another verification');
    });
    if (!isLeftOut(storage.webhooks)) expectCount(await fanOutAll(storage), 2);
  },

  'issue: rejects a taken id and keeps the first key': async (storage) => {
    await givenKeys(storage, [1, 2]);

    await expectUnchanged(storage, async () => {
      await expectRejected(storage.apiKeys.issue(aKey(3, { id: keyId(1) })), 'issue with the id of another key');
    });
    expect(await storage.apiKeys.resolve(keyHash(3))).toBeNull();
  },

  'issue: rejects a taken hash and keeps the first key': async (storage) => {
    const first = await givenKey(storage, 1);

    await expectUnchanged(storage, async () => {
      await expectRejected(
        storage.apiKeys.issue(aKey(2, { hash: first.hash })),
        'issue with the hash of another key',
      );
    });
    expect((await storage.apiKeys.resolve(first.hash))?.key).toEqual(first);
  },

  'create: with an event that cannot be kept is kept whole or not at all': async (storage) => {
    const first = await givenVerification(storage, 1);
    const before = await pictureOf(storage);
    const record = aRecord(2);

    const isKept =
      (await refusalOf(createCharged(storage, record, { event: eventOf(record, { id: eventOf(first).id }) }))) ===
      null;

    const [picture] = await pictureOf(storage);
    if (!isKept) expect([picture]).toEqual(before);
    const numbers = [picture?.used.march, picture?.verifications.length, picture?.events.length];
    expect(numbers).toEqual(isKept ? [2, 2, 2] : [1, 1, 1]);
  },

  'commit: with an event that cannot be kept is kept whole or not at all': async (storage) => {
    const [first, other] = [await givenVerification(storage, 1), await givenVerification(storage, 2)];
    const record = moved(first, 'submitted');
    const event = eventOf(record, { id: eventOf(other).id });

    const isKept = (await refusalOf(commit(storage, record, { events: [event] }))) === null;

    const found = await wholeOf(storage, first.id);
    const whole = isKept
      ? { record, events: [eventOf(first), event] }
      : { record: first, events: [eventOf(first)] };
    expect(found).toEqual(whole);
  },

  'fault: the storage works as before afterwards': async (storage) => {
    const first = await givenVerification(storage, 1);
    const taken = (n: number) => ({ ...aRecord(n), id: first.id });
    await expectRejected(createCharged(storage, taken(2)), 'createCharged with the id of another verification');

    const records = [aRecord(3), taken(4), aRecord(5), taken(6)];
    const refusals = await Promise.all(records.map((record) => refusalOf(createCharged(storage, record))));

    expect(refusals.map((refusal) => refusal === null)).toEqual([true, false, true, false]);
    expect(await storage.verifications.find(clientId(1), first.id)).toEqual(first);
    expect((await pictureOf(storage))[0]?.used.march).toBe(3);
  },
});
