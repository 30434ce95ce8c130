import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { clientId, keyId, minute } from '../records/ids.ts';
import { aKey, givenKey, givenKeys, keyHash } from '../records/keys.ts';
import { expectUnchanged } from '../records/picture.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Revocation: final, and visible to the next look-up. */
export const revocationSuite: Suite = suiteGiven('revocation', givenClient, {
  'revoke: every later resolve returns the key as revoked': async (storage) => {
    const key = await givenKey(storage, 1);

    expect(await storage.apiKeys.revoke(clientId(1), key.id, minute(3, 21))).toEqual({ outcome: 'revoked' });

    const resolved = await atOnce(20, () => storage.apiKeys.resolve(keyHash(1)));
    const revoked = { ...key, revokedAt: minute(3, 21) };
    expect(resolved.map((each) => each?.key)).toEqual(resolved.map(() => revoked));
    expect(await storage.apiKeys.list(clientId(1))).toEqual([revoked]);
  },

  'revoke: a second revocation changes nothing': async (storage) => {
    await givenKey(storage, 1);
    await storage.apiKeys.revoke(clientId(1), keyId(1), minute(3));

    await expectUnchanged(storage, async () => {
      const again = await storage.apiKeys.revoke(clientId(1), keyId(1), minute(4));

      expect(again).toEqual({ outcome: 'already_revoked' });
    });
  },

  'revoke: answers not_found for an unknown key': async (storage) => {
    await givenKey(storage, 1);

    expect(await storage.apiKeys.revoke(clientId(1), keyId(2), minute(3))).toEqual({ outcome: 'not_found' });
  },

  'revoke: answers not_found for another client’s key and leaves it': async (storage) => {
    await givenClient(storage, 2);
    await givenKeys(storage, [1, 2]);
    await storage.apiKeys.revoke(clientId(1), keyId(2), minute(3));

    await expectUnchanged(storage, async () => {
      for (const id of [keyId(1), keyId(2)]) {
        expect(await storage.apiKeys.revoke(clientId(2), id, minute(4))).toEqual({ outcome: 'not_found' });
      }
    });
  },

  'revoke: leaves other keys of the client active': async (storage) => {
    await givenKeys(storage, [1, 3]);

    await storage.apiKeys.revoke(clientId(1), keyId(2), minute(3));

    const states = (await storage.apiKeys.list(clientId(1))).map(({ id, revokedAt }) => [id, revokedAt]);
    expect(states).toEqual([
      [keyId(3), null],
      [keyId(2), minute(3)],
      [keyId(1), null],
    ]);
  },

  'revoke: revokes an expired key': async (storage) => {
    const key = await givenKey(storage, 1, { createdAt: minute(-9), expiresAt: minute(-8) });

    expect(await storage.apiKeys.revoke(clientId(1), key.id, minute(3))).toEqual({ outcome: 'revoked' });

    expect(await storage.apiKeys.list(clientId(1))).toEqual([{ ...key, revokedAt: minute(3) }]);
  },

  'revoke: of many at once, one revokes and its time is kept': async (storage) => {
    await givenKey(storage, 1);

    const outcomes = await atOnce(20, (n) => storage.apiKeys.revoke(clientId(1), keyId(1), minute(10 + n)));

    expect(tally(outcomes)).toEqual({ revoked: 1, already_revoked: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'revoked');
    expect((await storage.apiKeys.resolve(keyHash(1)))?.key.revokedAt).toEqual(minute(10 + winner));
  },

  'revoke: holds beside a use written at the same time': async (storage) => {
    for (const n of range(1, 10)) {
      const key = await givenKey(storage, n);
      const use = { clientId: clientId(1), keyId: key.id, at: minute(20), unlessSince: minute(15) };

      const calls = [
        () => storage.apiKeys.recordUse(use),
        () => storage.apiKeys.revoke(clientId(1), key.id, minute(21)),
      ];
      await Promise.all((n % 2 === 0 ? calls : calls.reverse()).map((call) => call()));

      const resolved = await storage.apiKeys.resolve(keyHash(n));
      expect(resolved?.key).toEqual({ ...key, lastUsedAt: minute(20), revokedAt: minute(21) });
    }
  },
});

const CAP = MAX_ACTIVE_KEYS;

/** At most ten active keys a client (interface, Authentication 4), also when many are issued at once. */
export const keyCapSuite: Suite = suiteGiven('key cap', givenClient, {
  'issue: refuses a key over the cap and changes nothing': async (storage) => {
    await givenKeys(storage, [1, CAP]);

    await expectUnchanged(storage, async () => {
      expect(await storage.apiKeys.issue(aKey(11))).toEqual({ outcome: 'limit_reached' });

      expect(await storage.apiKeys.resolve(keyHash(11))).toBeNull();
    });
  },

  'issue: an expiring key makes room when it expires, not earlier': async (storage) => {
    await givenKeys(storage, [1, CAP - 1]);
    await givenKey(storage, CAP, { expiresAt: minute(100) });

    const early = await storage.apiKeys.issue(aKey(11, { createdAt: minute(100, -1) }));
    expect(early).toEqual({ outcome: 'limit_reached' });
    const inTime = await storage.apiKeys.issue(aKey(12, { createdAt: minute(100) }));
    expect(inTime).toEqual({ outcome: 'issued' });
    const oneMore = await storage.apiKeys.issue(aKey(13, { createdAt: minute(100) }));
    expect(oneMore).toEqual({ outcome: 'limit_reached' });
  },

  'issue: a revoked key makes room': async (storage) => {
    await givenKeys(storage, [1, CAP]);
    await storage.apiKeys.revoke(clientId(1), keyId(4), minute(20));

    expect(await storage.apiKeys.issue(aKey(11))).toEqual({ outcome: 'issued' });
    expect(await storage.apiKeys.issue(aKey(12))).toEqual({ outcome: 'limit_reached' });
  },

  'issue: keys that made room stay listed and resolve': async (storage) => {
    const expiring = await givenKey(storage, 1, { expiresAt: minute(50) });
    await givenKeys(storage, [2, CAP]);
    await storage.apiKeys.revoke(clientId(1), keyId(2), minute(50));

    await givenKeys(storage, [11, 12], { createdAt: minute(60) });

    expect((await storage.apiKeys.resolve(keyHash(1)))?.key).toEqual(expiring);
    expect((await storage.apiKeys.resolve(keyHash(2)))?.key.revokedAt).toEqual(minute(50));
    expectCount(await storage.apiKeys.list(clientId(1)), 12);
  },

  'issue: any number of keys may be issued and revoked': async (storage) => {
    for (const n of range(1, 3 * CAP)) {
      await givenKey(storage, n, n % 2 === 0 ? { expiresAt: minute(n, 1) } : {});
      if (n % 2 === 1) await storage.apiKeys.revoke(clientId(1), keyId(n), minute(n, 1));
    }

    await givenKeys(storage, [101, 110]);

    expect(await storage.apiKeys.issue(aKey(111))).toEqual({ outcome: 'limit_reached' });
  },

  'issue: each client has its own cap': async (storage) => {
    await givenClient(storage, 2);
    await givenKeys(storage, [1, CAP]);

    await givenKeys(storage, [11, 20], { clientId: clientId(2) });

    const outcomes = await Promise.all(
      [aKey(21), aKey(22, { clientId: clientId(2) })].map((key) => storage.apiKeys.issue(key)),
    );
    expect(tally(outcomes)).toEqual({ limit_reached: 2 });
  },

  'issue: of forty at once, exactly the cap is issued': async (storage) => {
    const outcomes = await atOnce(40, (n) => storage.apiKeys.issue(aKey(n)));

    expect(tally(outcomes)).toEqual({ issued: CAP, limit_reached: 30 });
    const issued = range(0, 39).filter((n) => outcomes[n]?.outcome === 'issued');
    const kept = (await storage.apiKeys.list(clientId(1))).map(({ id }) => id);
    expect(kept.sort()).toEqual(issued.map(keyId).sort());
    const resolved = await atOnce(40, (n) => storage.apiKeys.resolve(keyHash(n)));
    expect(range(0, 39).filter((n) => resolved[n] !== null)).toEqual(issued);
  },

  'issue: many at once fill the room that expired and revoked keys left': async (storage) => {
    await givenKeys(storage, [1, 3], { expiresAt: minute(100) });
    await givenKeys(storage, [4, CAP]);
    await storage.apiKeys.revoke(clientId(1), keyId(4), minute(90));

    const createdAt = minute(100);
    const outcomes = await atOnce(30, (n) => storage.apiKeys.issue(aKey(100 + n, { createdAt })));

    expect(tally(outcomes)).toEqual({ issued: 4, limit_reached: 26 });
    expectCount(await storage.apiKeys.list(clientId(1)), CAP + 4);
  },

  'issue: keys revoked at the same time make room for as many': async (storage) => {
    await givenKeys(storage, [1, CAP]);

    const [outcomes] = await Promise.all([
      atOnce(20, (n) => storage.apiKeys.issue(aKey(100 + n))),
      atOnce(4, (n) => storage.apiKeys.revoke(clientId(1), keyId(1 + n), minute(90))),
    ]);

    const late = await atOnce(20, (n) => storage.apiKeys.issue(aKey(200 + n)));
    expect(tally([...outcomes, ...late])).toEqual({ issued: 4, limit_reached: 36 });
    const active = (await storage.apiKeys.list(clientId(1))).filter(({ revokedAt }) => revokedAt === null);
    expectCount(active, CAP);
  },
});
