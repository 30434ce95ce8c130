import type { Subscription, SubscriptionChange } from '@countersign/domain';
import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { aSubscription, givenClient, subscriptionOf } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { daysAfter, minute } from '../records/moments.ts';
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
