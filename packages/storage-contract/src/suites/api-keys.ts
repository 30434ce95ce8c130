import { MAX_KEY_NETWORKS, PERMISSIONS, type Permission } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { aSubscription, givenClient } from '../records/clients.ts';
import { clientId, daysAfter, keyId, minute } from '../records/ids.ts';
import { aKey, givenKey, givenKeys, keyHash } from '../records/keys.ts';
import { pictureOf } from '../records/picture.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** API keys: stored as issued, resolved by hash with the current subscription. */
export const apiKeysSuite: Suite = suiteGiven('API keys', givenClient, {
  'resolve: returns the key as it was issued': async (storage) => {
    const subscription = aSubscription();
    const forever = await givenKey(storage, 1, { name: '' });
    const expiring = await givenKey(storage, 2, {
      name: 'Produktion “Köln” 本番 😀 % _ \' " \\',
      display: 'csk_ab12…cd34',
      createdAt: minute(2, 345),
      expiresAt: daysAfter(minute(2, 678), 90),
    });

    expect(await storage.apiKeys.resolve(keyHash(1))).toEqual({
      key: forever,
      subscription,
      testOf: null,
      linkDays: null,
    });
    expect(await storage.apiKeys.resolve(keyHash(2))).toEqual({
      key: expiring,
      subscription,
      testOf: null,
      linkDays: null,
    });
  },

  'resolve: returns every set of permissions': async (storage) => {
    const sets: Permission[][] = [...PERMISSIONS.map((permission) => [permission]), [...PERMISSIONS]];

    for (const [index, permissions] of sets.entries()) {
      await givenKey(storage, index + 1, { permissions });
      const resolved = await storage.apiKeys.resolve(keyHash(index + 1));
      expect([...(resolved?.key.permissions ?? ['none'])].sort()).toEqual([...permissions].sort());
    }
  },

  'resolve and list: return every list of networks in its order': async (storage) => {
    const many = Array.from(
      { length: MAX_KEY_NETWORKS },
      (_, n) => `2001:db8:1:${(MAX_KEY_NETWORKS - n).toString(16)}::/64`,
    );
    const lists = [[], ['203.0.113.7/32'], ['2001:db8::/32', '203.0.113.0/24'], many];

    for (const [index, networks] of lists.entries()) {
      await givenKey(storage, index + 1, { networks });
      expect((await storage.apiKeys.resolve(keyHash(index + 1)))?.key.networks).toEqual(networks);
    }
    const listed = await storage.apiKeys.list(clientId(1));
    expect(listed.map(({ networks }) => networks)).toEqual(lists.toReversed());
  },

  'resolve: an unknown hash is null': async (storage) => {
    await givenKey(storage, 1);

    expect(await storage.apiKeys.resolve(keyHash(2))).toBeNull();
  },

  'resolve: returns the current subscription': async (storage) => {
    const subscription = aSubscription();
    await givenKey(storage, 1);
    const canceled = { ...aSubscription(), status: 'canceled', monthlyLimit: 3, endsAt: minute(7, 7) } as const;

    expect((await storage.apiKeys.resolve(keyHash(1)))?.subscription).toEqual(subscription);
    const { status, monthlyLimit, endsAt } = canceled;
    await storage.clients.changeSubscription(clientId(1), { status, monthlyLimit, endsAt }, null);

    expect((await storage.apiKeys.resolve(keyHash(1)))?.subscription).toEqual(canceled);
  },

  'resolve: returns no subscription until the client has one': async (storage) => {
    await givenClient(storage, 2, null);
    const key = await givenKey(storage, 1, { clientId: clientId(2) });

    expect(await storage.apiKeys.resolve(keyHash(1))).toEqual({
      key,
      subscription: null,
      testOf: null,
      linkDays: null,
    });
    await storage.clients.changeSubscription(clientId(2), {}, aSubscription());

    expect(await storage.apiKeys.resolve(keyHash(1))).toEqual({
      key,
      subscription: aSubscription(),
      testOf: null,
      linkDays: null,
    });
  },

  'resolve: returns the subscription of the key’s own client': async (storage) => {
    await givenClient(storage, 2, aSubscription({ monthlyLimit: 2 }));
    await givenKey(storage, 1);
    await givenKey(storage, 2, { clientId: clientId(2) });

    expect((await storage.apiKeys.resolve(keyHash(1)))?.subscription?.monthlyLimit).toBeNull();
    expect((await storage.apiKeys.resolve(keyHash(2)))?.subscription?.monthlyLimit).toBe(2);
  },

  'resolve: returns revoked and expired keys too': async (storage) => {
    const expired = await givenKey(storage, 1, { createdAt: minute(-9), expiresAt: minute(-8) });
    const revoked = await givenKey(storage, 2, { createdAt: minute(-7) });
    await storage.apiKeys.revoke(clientId(1), revoked.id, minute(-6));

    expect((await storage.apiKeys.resolve(keyHash(1)))?.key).toEqual(expired);
    expect((await storage.apiKeys.resolve(keyHash(2)))?.key).toEqual({ ...revoked, revokedAt: minute(-6) });
  },

  'issue: answers client_not_found for an unknown client and keeps nothing': async (storage) => {
    expect(await storage.apiKeys.issue(aKey(1, { clientId: clientId(2) }))).toEqual({
      outcome: 'client_not_found',
    });

    expect(await storage.apiKeys.resolve(keyHash(1))).toBeNull();
    expect(await storage.apiKeys.list(clientId(2))).toEqual([]);
  },

  'list keys: newest first, keys of one moment by descending id': async (storage) => {
    await givenClient(storage, 2);
    const moments = [minute(2), minute(5), minute(2, 1), minute(5), minute(1), minute(5)];
    for (const [index, createdAt] of moments.entries()) await givenKey(storage, index + 1, { createdAt });
    await givenKey(storage, 7, { clientId: clientId(2) });

    const ids = (await storage.apiKeys.list(clientId(1))).map(({ id }) => id);

    expect(ids).toEqual([6, 4, 2, 3, 1, 5].map(keyId));
  },

  'list keys: returns keys in any state whole': async (storage) => {
    const active = await givenKey(storage, 3, { name: 'Live', permissions: ['*'] });
    const expired = await givenKey(storage, 2, { createdAt: minute(-9), expiresAt: minute(-8) });
    const revoked = await givenKey(storage, 1, { createdAt: minute(-10) });
    await storage.apiKeys.revoke(clientId(1), revoked.id, minute(5, 5));

    expect(await storage.apiKeys.list(clientId(1))).toEqual([
      active,
      expired,
      { ...revoked, revokedAt: minute(5, 5) },
    ]);
  },

  'list keys: is empty for a client without keys and for an unknown client': async (storage) => {
    expect(await storage.apiKeys.list(clientId(1))).toEqual([]);
    expect(await storage.apiKeys.list(clientId(2))).toEqual([]);
  },
});

/** `lastUsedAt`: written only if the stored use is old enough. */
export const lastUseSuite: Suite = suiteGiven('last use', givenClient, {
  'recordUse: writes the first use and changes nothing else': async (storage) => {
    const key = await givenKey(storage, 1);

    await storage.apiKeys.recordUse(use({ at: minute(30, 5), unlessSince: minute(25) }));

    expect((await storage.apiKeys.resolve(keyHash(1)))?.key).toEqual({ ...key, lastUsedAt: minute(30, 5) });
    expect(await storage.apiKeys.list(clientId(1))).toEqual([{ ...key, lastUsedAt: minute(30, 5) }]);
  },

  'recordUse: keeps a use later than the bound': async (storage) => {
    await givenKey(storage, 1);
    await storage.apiKeys.recordUse(use({ at: minute(30), unlessSince: minute(25) }));

    await storage.apiKeys.recordUse(use({ at: minute(32), unlessSince: minute(30, -1) }));

    expect(await lastUsedAt(storage)).toEqual(minute(30));
  },

  'recordUse: replaces a use at the bound': async (storage) => {
    await givenKey(storage, 1);
    await storage.apiKeys.recordUse(use({ at: minute(30), unlessSince: minute(25) }));

    await storage.apiKeys.recordUse(use({ at: minute(35), unlessSince: minute(30) }));

    expect(await lastUsedAt(storage)).toEqual(minute(35));
  },

  'recordUse: of several at once, one is written': async (storage) => {
    await givenKey(storage, 1);

    await atOnce(20, (n) => storage.apiKeys.recordUse(use({ at: minute(30, n), unlessSince: minute(25) })));

    const written = await lastUsedAt(storage);
    expect(range(0, 19).map((n) => minute(30, n))).toContainEqual(written);
    await storage.apiKeys.recordUse(use({ at: minute(31), unlessSince: minute(25) }));
    expect(await lastUsedAt(storage)).toEqual(written);
  },

  'recordUse: leaves other keys of the client': async (storage) => {
    await givenKeys(storage, [1, 2]);

    await storage.apiKeys.recordUse(use({ at: minute(30), unlessSince: minute(25) }));

    expect((await storage.apiKeys.resolve(keyHash(2)))?.key.lastUsedAt).toBeNull();
  },

  'recordUse: ignores another client’s key and an unknown key': async (storage) => {
    await givenClient(storage, 2);
    await givenKey(storage, 1);
    const before = await pictureOf(storage);
    const bounds = { at: minute(30), unlessSince: minute(25) };

    await storage.apiKeys.recordUse({ clientId: clientId(2), keyId: keyId(1), ...bounds });
    await storage.apiKeys.recordUse({ clientId: clientId(1), keyId: keyId(2), ...bounds });

    expect(await pictureOf(storage)).toEqual(before);
  },
});

const use = (bounds: { at: Date; unlessSince: Date }): Parameters<Storage['apiKeys']['recordUse']>[0] => ({
  clientId: clientId(1),
  keyId: keyId(1),
  ...bounds,
});

async function lastUsedAt({ apiKeys }: Storage): Promise<Date | null | undefined> {
  return (await apiKeys.resolve(keyHash(1)))?.key.lastUsedAt;
}
