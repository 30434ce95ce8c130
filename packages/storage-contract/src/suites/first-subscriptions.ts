import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aSubscription, givenClient, subscriptionOf } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { daysAfter, minute } from '../records/moments.ts';
import { type Suite, suiteOf } from '../suite.ts';

const BOOKED = aSubscription({ monthlyLimit: 500, endsAt: daysAfter(minute(0), 90) });

/** A change where there may be no subscription yet, nor even a client. */
export const firstSubscriptionsSuite: Suite = suiteOf('first subscriptions', {
  'an initial subscription is passed over where the client has one': async (storage) => {
    await givenClient(storage, 1, BOOKED);
    const initial = aSubscription({ plan: 'enterprise', monthlyLimit: 1, startsAt: minute(9) });

    await storage.clients.changeSubscription(clientId(1), { status: 'canceled' }, initial);

    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, status: 'canceled' });
  },

  'a client without a subscription gets the initial one, as it is': async (storage) => {
    await givenClient(storage, 1, null);
    const initial = aSubscription({
      plan: 'enterprise',
      monthlyLimit: 1,
      startsAt: minute(9, 9),
      endsAt: minute(99),
    });

    const result = await storage.clients.changeSubscription(clientId(1), { monthlyLimit: 2 }, initial);

    expect(result).toEqual({ outcome: 'changed', subscription: initial });
    expect(await subscriptionOf(storage)).toEqual(initial);
  },

  'without a subscription and without an initial one there is nothing to change': async (storage) => {
    await givenClient(storage, 1, null);

    const result = await storage.clients.changeSubscription(clientId(1), { plan: 'standard' }, null);

    expect(result).toEqual({ outcome: 'no_subscription' });
    expect(await subscriptionOf(storage)).toBeNull();
  },

  'an unknown client is told, and none is made': async (storage) => {
    const initial = aSubscription();

    for (const each of [null, initial]) {
      const result = await storage.clients.changeSubscription(clientId(1), { plan: 'standard' }, each);
      expect(result).toEqual({ outcome: 'client_not_found' });
    }

    expect(await storage.clients.list()).toEqual([]);
  },

  'of two first subscriptions at once, one is the first and the other changes it': async (storage) => {
    for (const n of range(1, 10)) {
      await givenClient(storage, n, null);
      const [cheap, dear] = [
        aSubscription({ monthlyLimit: 1 }),
        aSubscription({ plan: 'enterprise', endsAt: minute(1) }),
      ];

      const results = await Promise.all([
        storage.clients.changeSubscription(clientId(n), { monthlyLimit: 1 }, cheap),
        storage.clients.changeSubscription(clientId(n), { plan: 'enterprise' }, dear),
      ]);

      expect(tally(results)).toEqual({ changed: 2 });
      expect([
        { ...cheap, plan: 'enterprise' },
        { ...dear, monthlyLimit: 1 },
      ]).toContainEqual(await subscriptionOf(storage, n));
    }
  },
});
