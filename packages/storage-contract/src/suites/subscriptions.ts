import type { Subscription } from '@countersign/domain/clients';
import type { Storage, SubscriptionChange } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aSubscription, givenClient, subscriptionOf } from '../records/clients.ts';
import { clientId, daysAfter, minute } from '../records/ids.ts';
import { pictureOf } from '../records/picture.ts';
import { type Suite, suiteGiven, suiteOf } from '../suite.ts';

const BOOKED = aSubscription({ monthlyLimit: 500, endsAt: daysAfter(minute(0), 90) });
const givenBooked = (storage: Storage): Promise<unknown> => givenClient(storage, 1, BOOKED);

/** Changes of subscriptions, field by field: no change is lost. */
export const subscriptionsSuite: Suite = suiteGiven('subscriptions', givenBooked, {
  'change: sets the given fields and leaves the others': async (storage) => {
    const changes: SubscriptionChange[] = [
      { plan: 'enterprise' },
      { status: 'canceled' },
      { monthlyLimit: 7 },
      { startsAt: minute(5, 678) },
      { endsAt: minute(50_000, 901) },
      { plan: 'standard', status: 'active', monthlyLimit: 12 },
    ];
    let expected = BOOKED;

    for (const change of changes) {
      expected = { ...expected, ...change } as Subscription;
      const result = await storage.clients.changeSubscription(clientId(1), change, null);
      expect(result).toEqual({ outcome: 'changed', subscription: expected });
      expect(await subscriptionOf(storage)).toEqual(expected);
    }
  },

  'change: null and 0 are values': async (storage) => {
    await storage.clients.changeSubscription(clientId(1), { monthlyLimit: null }, null);
    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, monthlyLimit: null });

    await storage.clients.changeSubscription(clientId(1), { endsAt: null }, null);
    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, monthlyLimit: null, endsAt: null });

    await storage.clients.changeSubscription(clientId(1), { monthlyLimit: 0 }, null);
    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, monthlyLimit: 0, endsAt: null });
  },

  'change: undefined fields, or no fields, change nothing': async (storage) => {
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

  'change: leaves other clients’ subscriptions': async (storage) => {
    await givenClient(storage, 2, BOOKED);
    const [, before] = await pictureOf(storage);

    await storage.clients.changeSubscription(clientId(1), { plan: 'enterprise', endsAt: null }, null);

    expect((await pictureOf(storage))[1]).toEqual(before);
  },

  'change: the later of two changes of one field wins': async (storage) => {
    await storage.clients.changeSubscription(clientId(1), { monthlyLimit: 1 }, null);
    await storage.clients.changeSubscription(clientId(1), { monthlyLimit: 2 }, null);

    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, monthlyLimit: 2 });
  },

  'change: changes of different fields at once all hold': async (storage) => {
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

/** Changes when the client has no subscription, or does not exist. */
export const firstSubscriptionsSuite: Suite = suiteOf('first subscriptions', {
  'change: ignores the initial subscription when the client has one': async (storage) => {
    await givenClient(storage, 1, BOOKED);
    const initial = aSubscription({ plan: 'enterprise', monthlyLimit: 1, startsAt: minute(9) });

    await storage.clients.changeSubscription(clientId(1), { status: 'canceled' }, initial);

    expect(await subscriptionOf(storage)).toEqual({ ...BOOKED, status: 'canceled' });
  },

  'change: creates the initial subscription unchanged when the client has none': async (storage) => {
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

  'change: answers no_subscription without a subscription and an initial one': async (storage) => {
    await givenClient(storage, 1, null);

    const result = await storage.clients.changeSubscription(clientId(1), { plan: 'standard' }, null);

    expect(result).toEqual({ outcome: 'no_subscription' });
    expect(await subscriptionOf(storage)).toBeNull();
  },

  'change: answers client_not_found for an unknown client and creates none': async (storage) => {
    const initial = aSubscription();

    for (const each of [null, initial]) {
      const result = await storage.clients.changeSubscription(clientId(1), { plan: 'standard' }, each);
      expect(result).toEqual({ outcome: 'client_not_found' });
    }

    expect(await storage.clients.list()).toEqual([]);
  },

  'change: of two first subscriptions at once, one is created and the other changes it': async (storage) => {
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
