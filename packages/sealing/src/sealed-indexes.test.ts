import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import type { IndexKey, Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { beforeEach, expect, test } from 'vitest';
import { countingKeys } from '../test-support/keys.ts';
import { CLIENT } from '../test-support/records.ts';
import { createKeyRing } from './key-ring.ts';
import { rotateIndexKeys } from './sealed-indexes.ts';
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
