import type { Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { clientId, keyId } from '../records/ids.ts';
import { givenKey, givenKeys, keyHash } from '../records/keys.ts';
import { minute } from '../records/moments.ts';
import { pictureOf } from '../records/picture.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** `lastUsedAt`: written only when the last note is old enough. */
export const lastUseSuite: Suite = suiteOf('last use', {
  'the first use of a key is noted, and nothing else of it changes': async (storage) => {
    await givenClient(storage);
    const key = await givenKey(storage, 1);

    await storage.apiKeys.recordUse(use({ at: minute(30, 5), unlessSince: minute(25) }));

    expect((await storage.apiKeys.resolve(keyHash(1)))?.key).toEqual({ ...key, lastUsedAt: minute(30, 5) });
    expect(await storage.apiKeys.list(clientId(1))).toEqual([{ ...key, lastUsedAt: minute(30, 5) }]);
  },

  'a note that is later than the bound stays': async (storage) => {
    await givenClient(storage);
    await givenKey(storage, 1);
    await storage.apiKeys.recordUse(use({ at: minute(30), unlessSince: minute(25) }));

    await storage.apiKeys.recordUse(use({ at: minute(32), unlessSince: minute(30, -1) }));

    expect(await lastUsedAt(storage)).toEqual(minute(30));
  },

  'a note at the very bound is replaced': async (storage) => {
    await givenClient(storage);
    await givenKey(storage, 1);
    await storage.apiKeys.recordUse(use({ at: minute(30), unlessSince: minute(25) }));

    await storage.apiKeys.recordUse(use({ at: minute(35), unlessSince: minute(30) }));

    expect(await lastUsedAt(storage)).toEqual(minute(35));
  },

  'of several notes at once, one is written': async (storage) => {
    await givenClient(storage);
    await givenKey(storage, 1);

    await atOnce(20, (n) => storage.apiKeys.recordUse(use({ at: minute(30, n), unlessSince: minute(25) })));

    const written = await lastUsedAt(storage);
    expect(range(0, 19).map((n) => minute(30, n))).toContainEqual(written);
    await storage.apiKeys.recordUse(use({ at: minute(31), unlessSince: minute(25) }));
    expect(await lastUsedAt(storage)).toEqual(written);
  },

  'other keys of the client are not noted': async (storage) => {
    await givenClient(storage);
    await givenKeys(storage, [1, 2]);

    await storage.apiKeys.recordUse(use({ at: minute(30), unlessSince: minute(25) }));

    expect((await storage.apiKeys.resolve(keyHash(2)))?.key.lastUsedAt).toBeNull();
  },

  'another client’s key, or an unknown one, is passed over': async (storage) => {
    await givenClients(storage, 2);
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
