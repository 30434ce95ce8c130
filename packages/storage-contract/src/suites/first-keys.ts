import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { clientId, keyId, minute } from '../records/ids.ts';
import { aKey, givenKey, keyHash } from '../records/keys.ts';
import { expectUnchanged } from '../records/picture.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** The first key of a client: stored only while the client has no active key, also when many are issued at once. */
export const firstKeysSuite: Suite = suiteGiven('first keys', givenClient, {
  'issueFirst: stores the key of a client without keys whole': async (storage) => {
    const key = aKey(1, { permissions: ['*'], expiresAt: minute(100) });

    expect(await storage.apiKeys.issueFirst(key)).toEqual({ outcome: 'issued' });

    expect(await storage.apiKeys.list(clientId(1))).toEqual([key]);
    expect((await storage.apiKeys.resolve(keyHash(1)))?.key).toEqual(key);
  },

  'issueFirst: refuses a key beside an active one and changes nothing': async (storage) => {
    await givenKey(storage, 1);

    await expectUnchanged(storage, async () => {
      expect(await storage.apiKeys.issueFirst(aKey(2))).toEqual({ outcome: 'key_exists' });

      expect(await storage.apiKeys.resolve(keyHash(2))).toBeNull();
    });
  },

  'issueFirst: refuses a key beside an active one that is not the oldest': async (storage) => {
    await givenKey(storage, 1);
    await givenKey(storage, 2);
    await storage.apiKeys.revoke(clientId(1), keyId(1), minute(20));

    expect(await storage.apiKeys.issueFirst(aKey(3, { createdAt: minute(30) }))).toEqual({
      outcome: 'key_exists',
    });
  },

  'issueFirst: stores a key once the others are revoked': async (storage) => {
    await givenKey(storage, 1);
    await storage.apiKeys.revoke(clientId(1), keyId(1), minute(20));

    expect(await storage.apiKeys.issueFirst(aKey(2, { createdAt: minute(30) }))).toEqual({ outcome: 'issued' });
    expect(await storage.apiKeys.list(clientId(1))).toHaveLength(2);
  },

  'issueFirst: stores a key when the others expire, not earlier': async (storage) => {
    await givenKey(storage, 1, { expiresAt: minute(100) });

    const early = await storage.apiKeys.issueFirst(aKey(2, { createdAt: minute(100, -1) }));
    expect(early).toEqual({ outcome: 'key_exists' });
    const inTime = await storage.apiKeys.issueFirst(aKey(3, { createdAt: minute(100) }));
    expect(inTime).toEqual({ outcome: 'issued' });
    expect(await storage.apiKeys.list(clientId(1))).toHaveLength(2);
  },

  'issueFirst: ignores keys of other clients': async (storage) => {
    await givenClient(storage, 2);
    await givenKey(storage, 1, { clientId: clientId(2) });

    expect(await storage.apiKeys.issueFirst(aKey(2))).toEqual({ outcome: 'issued' });
  },

  'issueFirst: the key counts toward the limit': async (storage) => {
    await storage.apiKeys.issueFirst(aKey(1));

    const outcomes = await atOnce(10, (n) => storage.apiKeys.issue(aKey(2 + n)));

    expect(tally(outcomes)).toEqual({ issued: 9, limit_reached: 1 });
  },

  'issueFirst: answers client_not_found for an unknown client and keeps nothing': async (storage) => {
    const key = aKey(1, { clientId: clientId(2) });

    expect(await storage.apiKeys.issueFirst(key)).toEqual({ outcome: 'client_not_found' });

    expect(await storage.apiKeys.resolve(keyHash(1))).toBeNull();
  },

  'issueFirst: of twenty at once, one is issued': async (storage) => {
    const outcomes = await atOnce(20, (n) => storage.apiKeys.issueFirst(aKey(n)));

    expect(tally(outcomes)).toEqual({ issued: 1, key_exists: 19 });
    const winner = range(0, 19).find((n) => outcomes[n]?.outcome === 'issued') ?? -1;
    expect((await storage.apiKeys.list(clientId(1))).map(({ id }) => id)).toEqual([keyId(winner)]);
  },

  'issueFirst: of twenty at once, one takes the place of an expired key': async (storage) => {
    await givenKey(storage, 1, { expiresAt: minute(100) });

    const createdAt = minute(100);
    const outcomes = await atOnce(20, (n) => storage.apiKeys.issueFirst(aKey(100 + n, { createdAt })));

    expect(tally(outcomes)).toEqual({ issued: 1, key_exists: 19 });
    expect(await storage.apiKeys.list(clientId(1))).toHaveLength(2);
  },
});
