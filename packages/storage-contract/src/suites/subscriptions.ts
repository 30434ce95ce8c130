import type { Subscription, SubscriptionChange } from '@countersign/domain';
import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aSubscription, givenClient, subscriptionOf } from '../records/clients.ts';
import { clientId, daysAfter, minute } from '../records/ids.ts';
import { pictureOf } from '../records/picture.ts';
import { type Suite, suiteOf } from '../suite.ts';

const BOOKED = aSubscription({ monthlyLimit: 500, endsAt: daysAfter(minute(0), 90) });

/** Changes of subscriptions: field by field, so that nobody's change is lost. */
export const subscriptionsSuite: Suite = suiteOf('subscriptions', {
  'a change sets the fields given and leaves the others': async (storage) => {
    const changes: SubscriptionChange[] = [
      { plan: 'enterprise' },
      { status: 'canceled' },
      { monthlyLimit: 7 },
      { startsAt: minute(5, 678) },
      { endsAt: minute(50_000, 901) },
      { plan: 'standard', status: 'active', monthlyLimit: 12 },
    ];
    await givenClient(storage, 1, BOOKED);
    let expected = BOOKED;

    for (const change of changes) {
      expected = { ...expected, ...change } as Subscription;
      const result = await storage.clients.changeSubscription(clientId(1), change, null);
      expect(result).toEqual({ outcome: 'changed', subscription: expected });
      expect(await subscriptionOf(storage)).toEqual(expected);
    }
  },

  'null and 0 are values like any other': async (storage) => {
    await givenClient(storage, 1, BOOKED);

    await storage.clients.changeSubscription(clientId(1), { monthlyLimit: null }, null);
    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, monthlyLimit: null });

    await storage.clients.changeSubscription(clientId(1), { endsAt: null }, null);
    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, monthlyLimit: null, endsAt: null });

    await storage.clients.changeSubscription(clientId(1), { monthlyLimit: 0 }, null);
    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, monthlyLimit: 0, endsAt: null });
  },

  'fields that are undefined, or none at all, change nothing': async (storage) => {
    await givenClient(storage, 1, BOOKED);
    const nothing = {
      plan: undefined,
      status: undefined,
      monthlyLimit: undefined,
      startsAt: undefined,
      endsAt: undefined,
    };
    const unchanged = { outcome: 'changed', subscription: BOOKED };

    expect(await storage.clients.changeSubscription(clientId(1), nothing, null)).toEqual(unchanged);
    expect(await storage.clients.changeSubscription(clientId(1), {}, null)).toEqual(unchanged);
    const first = aSubscription({ plan: 'enterprise', monthlyLimit: null });
    expect(await storage.clients.changeSubscription(clientId(1), {}, first)).toEqual(unchanged);

    expect(await subscriptionOf(storage)).toEqual(BOOKED);
  },

  'another client’s subscription stays as it is': async (storage) => {
    await givenClient(storage, 1, BOOKED);
    await givenClient(storage, 2, BOOKED);
    const [, before] = await pictureOf(storage);

    await storage.clients.changeSubscription(clientId(1), { plan: 'enterprise', endsAt: null }, null);

    expect((await pictureOf(storage))[1]).toEqual(before);
  },

  'of two changes of one field the later wins': async (storage) => {
    await givenClient(storage, 1, BOOKED);

    await storage.clients.changeSubscription(clientId(1), { monthlyLimit: 1 }, null);
    await storage.clients.changeSubscription(clientId(1), { monthlyLimit: 2 }, null);

    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, monthlyLimit: 2 });
  },

  'changes of different fields at once all hold': async (storage) => {
    await givenClient(storage, 1, BOOKED);

    for (const round of range(1, 10)) {
      const plan = round % 2 === 0 ? 'standard' : 'enterprise';
      const status = round % 2 === 0 ? 'active' : 'canceled';
      const change = {
        plan,
        status,
        monthlyLimit: round,
        startsAt: minute(round),
        endsAt: minute(10_000 + round),
      } as const;
      const single = Object.entries(change).map(([field, value]) => ({ [field]: value }));

      const results = await Promise.all(
        single.map((field) => storage.clients.changeSubscription(clientId(1), field, null)),
      );

      expect(tally(results)).toEqual({ changed: 5 });
      expect(await subscriptionOf(storage), `round ${round}`).toEqual(change);
    }
  },
});

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
