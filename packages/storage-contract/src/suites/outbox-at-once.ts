import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { clientId, eventIdOf } from '../records/ids.ts';
import { minute } from '../records/moments.ts';
import { holdOf, idsOf, lease, MUCH_LATER, NOW } from '../records/outbox.ts';
import { aRecord } from '../records/records.ts';
import { givenVerification, givenVerifications } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Many workers at once: none gets what another holds, and nothing is left behind. */
export const outboxAtOnceSuite: Suite = suiteOf('outbox at once', {
  'many leases at once never share an event, and together miss none': async (storage) => {
    await givenClients(storage, 3);
    for (const n of range(1, 60)) await givenVerification(storage, n, { clientId: clientId(1 + (n % 3)) });

    const wave = await atOnce(20, (n) => lease(storage, n, { limit: 5 }));
    // Leases in one another's way may come back with less than their limit: the rest is still there.
    const rest = await lease(storage, 21);

    for (const leased of wave) expect(leased.length).toBeLessThanOrEqual(5);
    const all = [...wave.flat(), ...rest];
    expect(idsOf(all).sort()).toEqual(range(1, 60).map((n) => eventIdOf(aRecord(n))));
    expect(new Set(all.map(({ attempt }) => attempt))).toEqual(new Set([1]));
    expect(await lease(storage, 22, { now: NOW })).toEqual([]);
  },

  'each of many leases at once is the holder of what it got': async (storage) => {
    await givenClient(storage);
    await givenVerifications(storage, [1, 30]);

    const outcomes = await atOnce(10, async (n) => {
      const leased = await lease(storage, n, { limit: 3 });
      return Promise.all(leased.map(({ event }) => storage.outbox.ack(holdOf(event, n), NOW)));
    });

    const expected = outcomes.map((each) => each.map(() => ({ outcome: 'done' })));
    expect(outcomes).toEqual(expected);
    const rest = await lease(storage, 11, { now: MUCH_LATER, until: minute(20_000) });
    expect(outcomes.flat().length + rest.length).toBe(30);
  },

  'workers who lease and deliver while verifications are created miss none and repeat none': async (storage) => {
    await givenClient(storage);
    const delivered: string[] = [];
    const work = async (n: number): Promise<void> => {
      for (const { event } of await lease(storage, n, { limit: 2 })) {
        const { outcome } = await storage.outbox.ack(holdOf(event, n), NOW);
        if (outcome === 'done') delivered.push(event.id);
      }
    };
    const workers: Promise<void>[] = [];
    const write = async (first: number): Promise<void> => {
      for (const n of range(first, first + 9)) {
        await givenVerification(storage, n);
        workers.push(work(n));
      }
    };

    await Promise.all([write(1), write(11), write(21), write(31)]);
    await Promise.all(workers);
    const rest = await lease(storage, 99, { now: MUCH_LATER, until: minute(20_000) });

    expect([...delivered, ...idsOf(rest)].sort()).toEqual(range(1, 40).map((n) => eventIdOf(aRecord(n))));
  },
});
