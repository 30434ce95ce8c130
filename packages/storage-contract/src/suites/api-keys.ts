import { PERMISSIONS, type Permission } from '@countersign/domain';
import { expect } from 'vitest';
import { aSubscription, givenClient, givenClients } from '../records/clients.ts';
import { clientId, keyId } from '../records/ids.ts';
import { aKey, givenKey, keyHash } from '../records/keys.ts';
import { daysAfter, minute } from '../records/moments.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** API keys: kept as issued, resolved by hash together with the subscription of the moment. */
export const apiKeysSuite: Suite = suiteOf('API keys', {
  'a key resolves by its hash as it was issued': async (storage) => {
    const { subscription } = await givenClient(storage, 1);
    const forever = await givenKey(storage, 1, { name: '' });
    const expiring = await givenKey(storage, 2, {
      name: 'Produktion “Köln” 本番 😀 % _ \' " \\',
      display: 'csk_ab12…cd34',
      createdAt: minute(2, 345),
      expiresAt: daysAfter(minute(2, 678), 90),
    });

    expect(await storage.apiKeys.resolve(keyHash(1))).toEqual({ key: forever, subscription });
    expect(await storage.apiKeys.resolve(keyHash(2))).toEqual({ key: expiring, subscription });
  },

  'every set of permissions comes back': async (storage) => {
    await givenClient(storage, 1);
    const sets: Permission[][] = [...PERMISSIONS.map((permission) => [permission]), [...PERMISSIONS]];

    for (const [index, permissions] of sets.entries()) {
      await givenKey(storage, index + 1, { permissions });
      const resolved = await storage.apiKeys.resolve(keyHash(index + 1));
      expect([...(resolved?.key.permissions ?? ['none'])].sort()).toEqual([...permissions].sort());
    }
  },

  'an unknown hash resolves to null': async (storage) => {
    await givenClient(storage, 1);
    await givenKey(storage, 1);

    expect(await storage.apiKeys.resolve(keyHash(2))).toBeNull();
  },

  'a key resolves with the subscription as it is now': async (storage) => {
    const { subscription } = await givenClient(storage, 1, aSubscription());
    await givenKey(storage, 1);
    const canceled = { ...aSubscription(), status: 'canceled', monthlyLimit: 3, endsAt: minute(7, 7) } as const;

    expect((await storage.apiKeys.resolve(keyHash(1)))?.subscription).toEqual(subscription);
    const { status, monthlyLimit, endsAt } = canceled;
    await storage.clients.changeSubscription(clientId(1), { status, monthlyLimit, endsAt }, null);

    expect((await storage.apiKeys.resolve(keyHash(1)))?.subscription).toEqual(canceled);
  },

  'a key resolves with no subscription until its client has one': async (storage) => {
    await givenClient(storage, 1, null);
    const key = await givenKey(storage, 1);

    expect(await storage.apiKeys.resolve(keyHash(1))).toEqual({ key, subscription: null });
    await storage.clients.changeSubscription(clientId(1), {}, aSubscription());

    expect(await storage.apiKeys.resolve(keyHash(1))).toEqual({ key, subscription: aSubscription() });
  },

  'a key resolves with its own client’s subscription': async (storage) => {
    await givenClient(storage, 1, aSubscription({ monthlyLimit: 1 }));
    await givenClient(storage, 2, aSubscription({ monthlyLimit: 2 }));
    await givenKey(storage, 1);
    await givenKey(storage, 2, { clientId: clientId(2) });

    expect((await storage.apiKeys.resolve(keyHash(1)))?.subscription?.monthlyLimit).toBe(1);
    expect((await storage.apiKeys.resolve(keyHash(2)))?.subscription?.monthlyLimit).toBe(2);
  },

  'a key resolves in any state: what it may do is not for the storage to say': async (storage) => {
    await givenClient(storage, 1);
    const expired = await givenKey(storage, 1, { createdAt: minute(-9), expiresAt: minute(-8) });
    const revoked = await givenKey(storage, 2, { createdAt: minute(-7) });
    await storage.apiKeys.revoke(clientId(1), revoked.id, minute(-6));

    expect((await storage.apiKeys.resolve(keyHash(1)))?.key).toEqual(expired);
    expect((await storage.apiKeys.resolve(keyHash(2)))?.key).toEqual({ ...revoked, revokedAt: minute(-6) });
  },

  'a key for an unknown client is told, and not kept': async (storage) => {
    await givenClient(storage, 1);

    expect(await storage.apiKeys.issue(aKey(1, { clientId: clientId(2) }))).toEqual({
      outcome: 'client_not_found',
    });

    expect(await storage.apiKeys.resolve(keyHash(1))).toBeNull();
    expect(await storage.apiKeys.list(clientId(2))).toEqual([]);
  },

  'keys are listed newest first, those of one moment by descending id': async (storage) => {
    await givenClients(storage, 2);
    const moments = [minute(2), minute(5), minute(2, 1), minute(5), minute(1), minute(5)];
    for (const [index, createdAt] of moments.entries()) await givenKey(storage, index + 1, { createdAt });
    await givenKey(storage, 7, { clientId: clientId(2) });

    const ids = (await storage.apiKeys.list(clientId(1))).map(({ id }) => id);

    expect(ids).toEqual([6, 4, 2, 3, 1, 5].map(keyId));
  },

  'keys in any state are listed whole': async (storage) => {
    await givenClient(storage, 1);
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

  'a client without keys, and an unknown one, have an empty list': async (storage) => {
    await givenClient(storage, 1);

    expect(await storage.apiKeys.list(clientId(1))).toEqual([]);
    expect(await storage.apiKeys.list(clientId(2))).toEqual([]);
  },
});
