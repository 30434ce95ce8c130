import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { clientId, keyId } from '../records/ids.ts';
import { givenKey, givenKeys, keyHash } from '../records/keys.ts';
import { minute } from '../records/moments.ts';
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
