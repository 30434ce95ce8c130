import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { clientId, keyId, minute } from '../records/ids.ts';
import { aKey, givenKey, givenKeys, keyHash } from '../records/keys.ts';
import { pictureOf } from '../records/picture.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Revocation of keys: final, and seen by the very next look-up. */
export const revocationSuite: Suite = suiteOf('revocation', {
  'every look-up after the revocation sees it': async (storage) => {
    await givenClient(storage);
    const key = await givenKey(storage, 1);

    expect(await storage.apiKeys.revoke(clientId(1), key.id, minute(3, 21))).toEqual({ outcome: 'revoked' });

    const resolved = await atOnce(20, () => storage.apiKeys.resolve(keyHash(1)));
    const revoked = { ...key, revokedAt: minute(3, 21) };
    expect(resolved.map((each) => each?.key)).toEqual(resolved.map(() => revoked));
    expect(await storage.apiKeys.list(clientId(1))).toEqual([revoked]);
  },

  'revoking again changes nothing': async (storage) => {
    await givenClient(storage);
    await givenKey(storage, 1);
    await storage.apiKeys.revoke(clientId(1), keyId(1), minute(3));
    const before = await pictureOf(storage);

    const again = await storage.apiKeys.revoke(clientId(1), keyId(1), minute(4));

    expect(again).toEqual({ outcome: 'already_revoked' });
    expect(await pictureOf(storage)).toEqual(before);
  },

  'an unknown key is not found': async (storage) => {
    await givenClient(storage);
    await givenKey(storage, 1);

    expect(await storage.apiKeys.revoke(clientId(1), keyId(2), minute(3))).toEqual({ outcome: 'not_found' });
  },

  'another client’s key is not found, whatever its state, and stays as it is': async (storage) => {
    await givenClients(storage, 2);
    await givenKeys(storage, [1, 2]);
    await storage.apiKeys.revoke(clientId(1), keyId(2), minute(3));
    const before = await pictureOf(storage);

    for (const id of [keyId(1), keyId(2)]) {
      expect(await storage.apiKeys.revoke(clientId(2), id, minute(4))).toEqual({ outcome: 'not_found' });
    }

    expect(await pictureOf(storage)).toEqual(before);
  },

  'other keys of the client stay active': async (storage) => {
    await givenClient(storage);
    await givenKeys(storage, [1, 3]);

    await storage.apiKeys.revoke(clientId(1), keyId(2), minute(3));

    const states = (await storage.apiKeys.list(clientId(1))).map(({ id, revokedAt }) => [id, revokedAt]);
    expect(states).toEqual([
      [keyId(3), null],
      [keyId(2), minute(3)],
      [keyId(1), null],
    ]);
  },

  'an expired key can be revoked': async (storage) => {
    await givenClient(storage);
    const key = await givenKey(storage, 1, { createdAt: minute(-9), expiresAt: minute(-8) });

    expect(await storage.apiKeys.revoke(clientId(1), key.id, minute(3))).toEqual({ outcome: 'revoked' });

    expect(await storage.apiKeys.list(clientId(1))).toEqual([{ ...key, revokedAt: minute(3) }]);
  },

  'of many revocations at once, one revokes and its moment stays': async (storage) => {
    await givenClient(storage);
    await givenKey(storage, 1);

    const outcomes = await atOnce(20, (n) => storage.apiKeys.revoke(clientId(1), keyId(1), minute(10 + n)));

    expect(tally(outcomes)).toEqual({ revoked: 1, already_revoked: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'revoked');
    expect((await storage.apiKeys.resolve(keyHash(1)))?.key.revokedAt).toEqual(minute(10 + winner));
  },

  'a revocation and a note of use at once both hold': async (storage) => {
    await givenClient(storage);
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
export const keyCapSuite: Suite = suiteOf('key cap', {
  'ten keys are issued, an eleventh is refused and changes nothing': async (storage) => {
    await givenClient(storage);
    await givenKeys(storage, [1, CAP]);
    const before = await pictureOf(storage);

    expect(await storage.apiKeys.issue(aKey(11))).toEqual({ outcome: 'limit_reached' });

    expect(await storage.apiKeys.resolve(keyHash(11))).toBeNull();
    expect(await pictureOf(storage)).toEqual(before);
  },

  'an expiring key makes room at the very moment it expires, and no earlier': async (storage) => {
    await givenClient(storage);
    await givenKeys(storage, [1, CAP - 1]);
    await givenKey(storage, CAP, { expiresAt: minute(100) });

    const early = await storage.apiKeys.issue(aKey(11, { createdAt: minute(100, -1) }));
    expect(early).toEqual({ outcome: 'limit_reached' });
    const inTime = await storage.apiKeys.issue(aKey(12, { createdAt: minute(100) }));
    expect(inTime).toEqual({ outcome: 'issued' });
    const oneMore = await storage.apiKeys.issue(aKey(13, { createdAt: minute(100) }));
    expect(oneMore).toEqual({ outcome: 'limit_reached' });
  },

  'a revoked key makes room': async (storage) => {
    await givenClient(storage);
    await givenKeys(storage, [1, CAP]);
    await storage.apiKeys.revoke(clientId(1), keyId(4), minute(20));

    expect(await storage.apiKeys.issue(aKey(11))).toEqual({ outcome: 'issued' });
    expect(await storage.apiKeys.issue(aKey(12))).toEqual({ outcome: 'limit_reached' });
  },

  'keys that made room stay listed and resolve': async (storage) => {
    await givenClient(storage);
    const expiring = await givenKey(storage, 1, { expiresAt: minute(50) });
    await givenKeys(storage, [2, CAP]);
    await storage.apiKeys.revoke(clientId(1), keyId(2), minute(50));

    await givenKeys(storage, [11, 12], { createdAt: minute(60) });

    expect((await storage.apiKeys.resolve(keyHash(1)))?.key).toEqual(expiring);
    expect((await storage.apiKeys.resolve(keyHash(2)))?.key.revokedAt).toEqual(minute(50));
    expect(await storage.apiKeys.list(clientId(1))).toHaveLength(12);
  },

  'any number of keys may come and go': async (storage) => {
    await givenClient(storage);
    for (const n of range(1, 3 * CAP)) {
      await givenKey(storage, n, n % 2 === 0 ? { expiresAt: minute(n, 1) } : {});
      if (n % 2 === 1) await storage.apiKeys.revoke(clientId(1), keyId(n), minute(n, 1));
    }

    await givenKeys(storage, [101, 110]);

    expect(await storage.apiKeys.issue(aKey(111))).toEqual({ outcome: 'limit_reached' });
  },

  'each client has a cap of its own': async (storage) => {
    await givenClients(storage, 2);
    await givenKeys(storage, [1, CAP]);

    await givenKeys(storage, [11, 20], { clientId: clientId(2) });

    const outcomes = await Promise.all(
      [aKey(21), aKey(22, { clientId: clientId(2) })].map((key) => storage.apiKeys.issue(key)),
    );
    expect(tally(outcomes)).toEqual({ limit_reached: 2 });
  },

  'of forty keys at once, exactly ten are issued': async (storage) => {
    await givenClient(storage);

    const outcomes = await atOnce(40, (n) => storage.apiKeys.issue(aKey(n)));

    expect(tally(outcomes)).toEqual({ issued: CAP, limit_reached: 30 });
    const issued = range(0, 39).filter((n) => outcomes[n]?.outcome === 'issued');
    const kept = (await storage.apiKeys.list(clientId(1))).map(({ id }) => id);
    expect(kept.sort()).toEqual(issued.map(keyId).sort());
    const resolved = await atOnce(40, (n) => storage.apiKeys.resolve(keyHash(n)));
    expect(range(0, 39).filter((n) => resolved[n] !== null)).toEqual(issued);
  },

  'as many at once are issued as there is room, expired and revoked keys included': async (storage) => {
    await givenClient(storage);
    await givenKeys(storage, [1, 3], { expiresAt: minute(100) });
    await givenKeys(storage, [4, CAP]);
    await storage.apiKeys.revoke(clientId(1), keyId(4), minute(90));

    const createdAt = minute(100);
    const outcomes = await atOnce(30, (n) => storage.apiKeys.issue(aKey(100 + n, { createdAt })));

    expect(tally(outcomes)).toEqual({ issued: 4, limit_reached: 26 });
    expect(await storage.apiKeys.list(clientId(1))).toHaveLength(CAP + 4);
  },

  'keys that are revoked while others are issued make room for as many': async (storage) => {
    await givenClient(storage);
    await givenKeys(storage, [1, CAP]);

    const [outcomes] = await Promise.all([
      atOnce(20, (n) => storage.apiKeys.issue(aKey(100 + n))),
      atOnce(4, (n) => storage.apiKeys.revoke(clientId(1), keyId(1 + n), minute(90))),
    ]);

    const late = await atOnce(20, (n) => storage.apiKeys.issue(aKey(200 + n)));
    expect(tally([...outcomes, ...late])).toEqual({ issued: 4, limit_reached: 36 });
    const active = (await storage.apiKeys.list(clientId(1))).filter(({ revokedAt }) => revokedAt === null);
    expect(active).toHaveLength(CAP);
  },
});
