import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { aLabel, anIndexKey, givenIndexKey, labelled, ofClient, someLabels } from '../records/indexes.ts';
import { NO_IDS } from '../records/retention.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

async function givenClients(storage: Storage): Promise<void> {
  await givenClient(storage);
  await givenClient(storage, 2);
}

const ofSecond = { clientId: clientId(2) };
const wrapped = { wrappedBy: 'key-1' };

/** Keys of clients, by which terms are labelled. */
export const indexKeysSuite: Suite = suiteGiven('index keys', givenClients, {
  'addKey: stores keys of a client, which are listed from the newest': async ({ indexes }) => {
    expect(await indexes.keys(clientId(1))).toEqual([]);
    for (const key of [anIndexKey(1, wrapped), anIndexKey(2), anIndexKey(10, wrapped), anIndexKey(1, ofSecond)]) {
      expect(await indexes.addKey(key)).toBe(true);
    }
    expect(await indexes.keys(clientId(1))).toEqual([
      anIndexKey(10, wrapped),
      anIndexKey(2),
      anIndexKey(1, wrapped),
    ]);
    expect(await indexes.keys(clientId(2))).toEqual([anIndexKey(1, ofSecond)]);
  },

  'addKey: a version that the client has is refused, and its key stays': async ({ indexes }) => {
    await indexes.addKey(anIndexKey());
    expect(await indexes.addKey(anIndexKey(1, { value: 'other' }))).toBe(false);
    expect(await indexes.keys(clientId(1))).toEqual([anIndexKey()]);
  },

  'addKey: of many with one version, one wins': async ({ indexes }) => {
    const keys = range(1, 8).map((n) => anIndexKey(1, { value: `value ${n}` }));
    const added = await Promise.all(keys.map((key) => indexes.addKey(key)));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await indexes.keys(clientId(1))).toEqual([keys[added.indexOf(true)]]);
  },

  'addKey: an unknown client, and a text that cannot be an id, have no keys': async ({ indexes }) => {
    for (const id of [clientId(3), ...NO_IDS]) {
      expect(await indexes.addKey(anIndexKey(1, { clientId: id })), JSON.stringify(id)).toBe(false);
      expect(await indexes.keys(id), JSON.stringify(id)).toEqual([]);
    }
  },

  'removeKey: deletes an older key that labels nothing, of this client alone': async ({ indexes }) => {
    for (const version of [1, 2]) {
      await indexes.addKey(anIndexKey(version));
      await indexes.addKey(anIndexKey(version, ofSecond));
    }
    expect(await indexes.removeKey(anIndexKey(1))).toBe(true);
    expect(await indexes.keys(clientId(1))).toEqual([anIndexKey(2)]);
    expect(await indexes.keys(clientId(2))).toHaveLength(2);
    expect(await indexes.removeKey(anIndexKey(1))).toBe(false);
    for (const id of NO_IDS) expect(await indexes.removeKey({ clientId: id, version: 1 })).toBe(false);
  },

  'removeKey: the newest key stays': async ({ indexes }) => {
    for (const version of [1, 2]) await indexes.addKey(anIndexKey(version));
    expect(await indexes.removeKey(anIndexKey(2))).toBe(false);
    expect(await indexes.keys(clientId(1))).toEqual([anIndexKey(2), anIndexKey(1)]);
  },

  'removeKey: a key that labels a verification stays, until that is labelled by another key': async (storage) => {
    const { indexes } = storage;
    await givenVerification(storage, 1, { status: 'submitted' });
    for (const version of [1, 2]) await givenIndexKey(storage, anIndexKey(version));
    expect(await indexes.save(labelled(1), { ...someLabels(), keyVersion: 1 }, 2)).toBe(true);
    expect(await indexes.removeKey(anIndexKey(1))).toBe(false);
    expect(await indexes.keys(clientId(1))).toHaveLength(2);
    expect(await indexes.save(labelled(1), { ...someLabels(1), keyVersion: 2 }, 2)).toBe(true);
    expect(await indexes.removeKey(anIndexKey(1))).toBe(true);
  },

  'removeKey: at the same time as labels by the key, one of both is refused': async (storage) => {
    const { indexes } = storage;
    for (const version of range(1, 11)) await givenIndexKey(storage, anIndexKey(version));
    for (const version of range(1, 10)) {
      await givenVerification(storage, version, { status: 'submitted' });
      const labels = { ...someLabels(version), keyVersion: version };
      const [isSaved, isRemoved] = await Promise.all([
        indexes.save(labelled(version), labels, 2),
        indexes.removeKey(anIndexKey(version)),
      ]);
      expect(isRemoved, `round ${version}`).toBe(!isSaved);
      const found = await indexes.find({ labels: [ofClient(aLabel(version))], limit: 10 });
      expect(found, `round ${version}`).toHaveLength(isSaved ? 1 : 0);
    }
  },

  'listKeysNotWrappedBy: lists plain keys and those of other keys, of all clients, by client and version': async ({
    indexes,
  }) => {
    const keys = [
      anIndexKey(2, wrapped),
      anIndexKey(10),
      anIndexKey(1, { ...ofSecond, ...wrapped }),
      anIndexKey(2, { ...ofSecond, wrappedBy: 'KEY-2' }),
    ];
    for (const key of [...keys, anIndexKey(3, { wrappedBy: 'key-2' })]) await indexes.addKey(key);
    expect(await indexes.countKeysNotWrappedBy('key-2')).toBe(4);
    expect(await indexes.listKeysNotWrappedBy('key-2', null, 10)).toEqual(keys);
    expect(await indexes.listKeysNotWrappedBy('key-2', null, 3)).toEqual(keys.slice(0, 3));
    for (const [index, key] of keys.entries()) {
      expect(await indexes.listKeysNotWrappedBy('key-2', key, 10)).toEqual(keys.slice(index + 1));
    }
    expect(await indexes.countKeysNotWrappedBy('key-1')).toBe(3);
  },

  'replaceKey: replaces the stored key by the same one, encrypted by another': async ({ indexes }) => {
    await indexes.addKey(anIndexKey(1, wrapped));
    for (const key of [anIndexKey(2), anIndexKey(1, ofSecond)]) await indexes.addKey(key);
    const next = { value: 'next', wrappedBy: 'key-2' };
    expect(await indexes.replaceKey(anIndexKey(1, wrapped), next)).toEqual({ outcome: 'replaced' });
    expect(await indexes.keys(clientId(1))).toEqual([anIndexKey(2), anIndexKey(1, next)]);
    expect(await indexes.keys(clientId(2))).toEqual([anIndexKey(1, ofSecond)]);
  },

  'replaceKey: a key that is stored otherwise is not replaced': async ({ indexes }) => {
    await indexes.addKey(anIndexKey(1, wrapped));
    const next = { value: 'next', wrappedBy: 'key-2' };
    const others = [
      anIndexKey(1, { ...wrapped, value: 'VALUE 1' }),
      anIndexKey(1, { wrappedBy: 'key-2' }),
      anIndexKey(1),
      anIndexKey(2, wrapped),
      anIndexKey(1, { ...wrapped, ...ofSecond }),
      ...NO_IDS.map((id) => anIndexKey(1, { ...wrapped, clientId: id })),
    ];
    for (const other of others) expect(await indexes.replaceKey(other, next)).toEqual({ outcome: 'conflict' });
    expect(await indexes.keys(clientId(1))).toEqual([anIndexKey(1, wrapped)]);
  },

  'replaceKey: of many for one stored key, one wins': async ({ indexes }) => {
    const plain = anIndexKey(1);
    await indexes.addKey(plain);
    const others = range(1, 8).map((n) => ({ value: `next ${n}`, wrappedBy: 'key-2' }));
    const results = await Promise.all(others.map((next) => indexes.replaceKey(plain, next)));
    const won = results.findIndex(({ outcome }) => outcome === 'replaced');
    expect(results.filter(({ outcome }) => outcome === 'replaced')).toHaveLength(1);
    expect(await indexes.keys(clientId(1))).toEqual([anIndexKey(1, others[won])]);
  },
});
