import type { Storage, VerificationEvent } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, eventId, minute } from '../records/ids.ts';
import { holdOf, idsOf, lease, MUCH_LATER, NOW, UNTIL } from '../records/outbox.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const DONE = { outcome: 'done' };
const LOST = { outcome: 'lease_lost' };
const FOREVER = { now: MUCH_LATER, until: minute(20_000) };

/** The end of a lease: the event is delivered, failed, or leased by another worker. */
export const deliveriesSuite: Suite = suiteOf('deliveries', {
  'ack: a delivered event is never leased again': async (storage) => {
    const event = await givenLeased(storage);

    expect(await storage.outbox.ack(holdOf(event, 1), NOW)).toEqual(DONE);

    expect(await lease(storage, 2, { now: UNTIL, until: MUCH_LATER })).toEqual([]);
    expect(await lease(storage, 3, FOREVER)).toEqual([]);
  },

  'ack: leaves the other events of the lease held': async (storage) => {
    await givenClient(storage);
    const [first, second] = [
      eventOf(await givenVerification(storage, 1)),
      eventOf(await givenVerification(storage, 2)),
    ];
    await lease(storage, 1);

    await storage.outbox.ack(holdOf(first, 1), NOW);

    expect(await lease(storage, 2)).toEqual([]);
    expect(idsOf(await lease(storage, 3, { now: UNTIL, until: MUCH_LATER }))).toEqual([second.id]);
  },

  'fail: the event is due at the given moment, not earlier': async (storage) => {
    const event = await givenLeased(storage);
    const retryAt = minute(7_000, 500);

    expect(await storage.outbox.fail(holdOf(event, 1), retryAt)).toEqual(DONE);

    const oneMsBefore = new Date(retryAt.getTime() - 1);
    expect(await lease(storage, 2, { now: UNTIL, until: MUCH_LATER })).toEqual([]);
    expect(await lease(storage, 3, { now: oneMsBefore, until: MUCH_LATER })).toEqual([]);
    expect(await lease(storage, 4, { now: retryAt, until: MUCH_LATER })).toEqual([{ event, attempt: 2 }]);
  },

  'fail: the event may be due before its lease would have ended': async (storage) => {
    const event = await givenLeased(storage);

    await storage.outbox.fail(holdOf(event, 1), NOW);

    expect(await lease(storage, 2)).toEqual([{ event, attempt: 2 }]);
  },

  'fail: ends the hold': async (storage) => {
    const event = await givenLeased(storage);
    await storage.outbox.fail(holdOf(event, 1), minute(6_000));

    expect(await storage.outbox.ack(holdOf(event, 1), NOW)).toEqual(LOST);
    expect(await storage.outbox.fail(holdOf(event, 1), minute(8_000))).toEqual(LOST);

    expect(await lease(storage, 2, { now: minute(6_000), until: MUCH_LATER })).toEqual([{ event, attempt: 2 }]);
  },

  'ack: a late answer counts until another worker leases the event': async (storage) => {
    const event = await givenLeased(storage);

    expect(await storage.outbox.ack(holdOf(event, 1), minute(6_000))).toEqual(DONE);

    expect(await lease(storage, 2, FOREVER)).toEqual([]);
  },

  'ack: answers lease_lost after another worker leased the event': async (storage) => {
    const event = await givenLeased(storage);
    await lease(storage, 2, { now: UNTIL, until: minute(6_000) });

    expect(await storage.outbox.ack(holdOf(event, 1), UNTIL)).toEqual(LOST);
    expect(await storage.outbox.fail(holdOf(event, 1), UNTIL)).toEqual(LOST);

    expect(await lease(storage, 3, { now: minute(6_000, -1), until: MUCH_LATER })).toEqual([]);
    expect(await storage.outbox.ack(holdOf(event, 2), UNTIL)).toEqual(DONE);
  },

  'ack: answers lease_lost for a delivered event': async (storage) => {
    const event = await givenLeased(storage);
    await storage.outbox.ack(holdOf(event, 1), NOW);

    expect(await storage.outbox.ack(holdOf(event, 1), NOW)).toEqual(LOST);
    expect(await storage.outbox.fail(holdOf(event, 1), NOW)).toEqual(LOST);

    expect(await lease(storage, 2, FOREVER)).toEqual([]);
  },

  'ack: answers lease_lost for an unknown event or token': async (storage) => {
    const event = await givenLeased(storage);
    const holds = [holdOf({ clientId: clientId(1), id: eventId(99) }, 1), holdOf(event, 9)];

    for (const hold of holds) {
      expect(await storage.outbox.ack(hold, NOW)).toEqual(LOST);
      expect(await storage.outbox.fail(hold, NOW)).toEqual(LOST);
    }

    expect(await lease(storage, 2)).toEqual([]);
    expect(await storage.outbox.ack(holdOf(event, 1), NOW)).toEqual(DONE);
  },

  'ack: answers lease_lost for an event that was never leased': async (storage) => {
    await givenClient(storage);
    const event = eventOf(await givenVerification(storage, 1));

    expect(await storage.outbox.ack(holdOf(event, 1), NOW)).toEqual(LOST);
    expect(await storage.outbox.fail(holdOf(event, 1), MUCH_LATER)).toEqual(LOST);

    expect(await lease(storage, 1)).toEqual([{ event, attempt: 1 }]);
  },

  'ack: of many answers at once by one holder, one counts': async (storage) => {
    const event = await givenLeased(storage);
    const hold = holdOf(event, 1);

    const outcomes = await atOnce(20, (n) =>
      n % 2 === 0 ? storage.outbox.ack(hold, NOW) : storage.outbox.fail(hold, minute(6_000)),
    );

    expect(tally(outcomes)).toEqual({ done: 1, lease_lost: 19 });
    const isDelivered = outcomes.findIndex(({ outcome }) => outcome === 'done') % 2 === 0;
    expect(idsOf(await lease(storage, 2, FOREVER))).toEqual(isDelivered ? [] : [event.id]);
  },
});

/** One event, leased with the first token at `NOW` until `UNTIL`. */
async function givenLeased(storage: Storage): Promise<VerificationEvent> {
  await givenClient(storage);
  const event = eventOf(await givenVerification(storage, 1));
  expect(await lease(storage, 1)).toEqual([{ event, attempt: 1 }]);
  return event;
}
