import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import type { IndexKey, IndexRepository, Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { countingKeys } from '../test-support/keys.ts';
import { CLIENT } from '../test-support/records.ts';
import { createKeyRing } from './key-ring.ts';
import type { RotationProgress } from './rewrap-all.ts';
import { createSealedIndexes, rotateIndexKeys } from './sealed-indexes.ts';
import { createSealedStorage } from './sealed-storage.ts';

const KEY: IndexKey = { clientId: CLIENT, version: 1, value: 'AAAA', wrappedBy: null };
const [older, newer] = [1, 2].map((fill) => new Uint8Array(32).fill(fill)) as [Uint8Array, Uint8Array];

let raw: Storage;
beforeEach(async () => {
  raw = createMemoryStorage();
  const client = { id: CLIENT, name: 'client', createdAt: new Date(0), testOf: null };
  const rest = { returnAddresses: [], fileAccess: false } as const;
  await raw.clients.create({
    client: { ...client, ...rest, flowSettings: NEW_FLOW_SETTINGS, reasonTemplates: NO_TEMPLATES },
    subscription: null,
  });
});

const sealedBy = (...secrets: readonly Uint8Array[]) =>
  createSealedStorage(raw, { keys: secrets.length > 0 ? createKeyRing(secrets) : countingKeys() });

test('a key is stored encrypted, and comes out as it was', async () => {
  const sealed = sealedBy();
  expect(await sealed.indexes.addKey(KEY)).toBe(true);
  const [stored] = await raw.indexes.keys(CLIENT);
  expect(stored?.value).not.toContain(KEY.value);
  expect(stored?.wrappedBy).not.toBeNull();
  expect(await sealed.indexes.keys(CLIENT)).toEqual([KEY]);
});

test.each<[name: string, code: string, change: (stored: IndexKey) => Partial<IndexKey>]>([
  ['in the clear', 'NOT_SEALED', () => ({ value: 'AAAA', wrappedBy: null })],
  ['of another version', 'DAMAGED', () => ({ version: 2 })],
  [
    'that was changed',
    'DAMAGED',
    ({ value }) => ({ value: `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}` }),
  ],
])('a stored key %s stays in the list, and reading it throws %s', async (_, code, change) => {
  await sealedBy(newer).indexes.addKey(KEY);
  const [stored] = await raw.indexes.keys(CLIENT);
  if (stored === undefined) throw new Error('no key');
  const tampered: Storage = {
    ...raw,
    indexes: { ...raw.indexes, keys: async () => [{ ...stored, ...change(stored) }] },
  };
  const [found] = await createSealedStorage(tampered, { keys: createKeyRing([newer]) }).indexes.keys(CLIENT);
  expect(() => found?.value).toThrow(expect.objectContaining({ code }) as Error);
});

test('a key of a secret that this server lacks is SERVICE_UNAVAILABLE when it is read', async () => {
  await sealedBy(older).indexes.addKey(KEY);
  const [found] = await sealedBy(newer).indexes.keys(CLIENT);
  expect(() => found?.value).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }) as Error);
});

test('reading or copying an unreadable key throws an error with its version and client', async () => {
  await raw.indexes.addKey({ ...KEY, version: 7 });
  const [found] = await sealedBy(newer).indexes.keys(CLIENT);
  expect(() => found?.value).toThrow(`Index key 7 of client ${CLIENT} is not sealed`);
  expect(() => ({ ...found })).toThrow(`Index key 7 of client ${CLIENT} is not sealed`);
});

describe('keys that were decrypted once', () => {
  /** Stores one key for each of `count` clients. `read` returns how many keys it decrypted. */
  async function givenKeys(count: number) {
    const stored = new Map<string, IndexKey>();
    const inner: IndexRepository = {
      ...raw.indexes,
      async addKey(key) {
        stored.set(key.clientId, key);
        return true;
      },
      keys: async (clientId) => [stored.get(clientId)].filter((key) => key !== undefined),
    };
    const keys = countingKeys();
    const indexes = createSealedIndexes(inner, keys);
    for (let n = 1; n <= count; n += 1) await indexes.addKey(keyOf(n));
    return {
      stored,
      async read(n: number): Promise<number> {
        keys.asked = 0;
        expect(await indexes.keys(keyOf(n).clientId)).toEqual([keyOf(n)]);
        return keys.asked;
      },
    };
  }
  const keyOf = (n: number): IndexKey => ({ ...KEY, clientId: `client-${n}`, value: `value-${n}` });

  test('each of 1,000 keys is decrypted once; the next one replaces the oldest', async () => {
    const { read } = await givenKeys(1_001);
    for (const asked of [1, 0]) {
      for (let n = 1; n <= 1_000; n += 1) expect(await read(n)).toBe(asked);
    }

    expect(await read(1_001)).toBe(1);
    expect([await read(1_001), await read(1_000), await read(2)]).toEqual([0, 0, 0]);
    expect(await read(1)).toBe(1);
    expect([await read(3), await read(2)]).toEqual([0, 1]);
  });

  test('a key that was re-wrapped is decrypted again', async () => {
    const { stored, read } = await givenKeys(2);
    expect([await read(1), await read(1)]).toEqual([1, 0]);
    const place = { clientId: 'client-1', indexKeyVersion: 1 };
    const { wrapped, wrappedBy } = await createKeyRing([older]).wrap(Buffer.from('value-1'), place);
    stored.set('client-1', { ...keyOf(1), value: wrapped, wrappedBy });
    expect([await read(1), await read(1)]).toEqual([1, 0]);
  });
});

test('a sealed index passes counts, lists and replacements of wrapped keys through unchanged', async () => {
  const { indexes } = sealedBy(older);
  await indexes.addKey(KEY);
  await indexes.addKey({ ...KEY, version: 2 });
  const { newest } = createKeyRing([newer]);
  // Listed from the oldest, read from the newest.
  const stored = (await raw.indexes.keys(CLIENT)).toReversed();

  expect(await indexes.countKeysNotWrappedBy(newest)).toBe(2);
  expect(await indexes.listKeysNotWrappedBy(newest, null, 10)).toEqual(stored);
  expect(await indexes.listKeysNotWrappedBy(newest, null, 1)).toEqual(stored.slice(0, 1));
  const [first] = stored;
  if (first === undefined) throw new Error('no key');
  expect(await indexes.listKeysNotWrappedBy(newest, first, 10)).toEqual(stored.slice(1));

  const next = { value: 'BBBB', wrappedBy: newest };
  expect(await indexes.replaceKey(first, next)).toEqual({ outcome: 'replaced' });
  expect(await indexes.replaceKey(first, next)).toEqual({ outcome: 'conflict' });
  expect((await raw.indexes.keys(CLIENT)).toReversed()).toEqual([{ ...first, ...next }, ...stored.slice(1)]);
});

test('rotateIndexKeys: reports how many keys are re-wrapped, of how many', async () => {
  for (const version of [1, 2, 3]) await sealedBy(older).indexes.addKey({ ...KEY, version });
  const reports: RotationProgress[] = [];
  await rotateIndexKeys({
    indexes: raw.indexes,
    keys: createKeyRing([newer, older]),
    pageSize: 2,
    onProgress: (at) => reports.push(at),
  });
  expect(reports).toEqual([0, 2, 3].map((done) => ({ done, total: 3 })));
});

test('rotateIndexKeys: re-wraps keys of older secrets and plain ones; their values stay', async () => {
  await sealedBy(older).indexes.addKey(KEY);
  await raw.indexes.addKey({ ...KEY, version: 2 });
  const keys = createKeyRing([newer, older]);
  expect(await rotateIndexKeys({ indexes: raw.indexes, keys })).toEqual({ rewrapped: 2 });
  expect(await sealedBy(newer).indexes.keys(CLIENT)).toEqual([{ ...KEY, version: 2 }, KEY]);
  expect(await rotateIndexKeys({ indexes: raw.indexes, keys })).toEqual({ rewrapped: 0 });
});

test('rotateIndexKeys: a key of a lost secret is left as it is', async () => {
  await sealedBy(older).indexes.addKey(KEY);
  const keys = createKeyRing([newer]);
  await expect(rotateIndexKeys({ indexes: raw.indexes, keys })).rejects.toMatchObject({
    code: 'ROTATION_INCOMPLETE',
  });
  const lostKeys = [createKeyRing([older]).newest];
  expect(await rotateIndexKeys({ indexes: raw.indexes, keys, lostKeys })).toEqual({ rewrapped: 0 });
});
