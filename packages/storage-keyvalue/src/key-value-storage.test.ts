import { expect, it } from 'vitest';
import { createKeyValueStorage } from './key-value-storage.ts';
import { createSortedMap } from './sorted-map.ts';
import type { KeyValueStore } from './store.ts';

/** A store whose operations end when they are let go, and what happens to it. */
function givenStore(): { store: KeyValueStore; letGo: () => void; happened: readonly string[] } {
  const map = createSortedMap<unknown>();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const happened: string[] = [];
  const store: KeyValueStore = {
    async run(operation) {
      const { result } = operation(map);
      await promise;
      happened.push('answered');
      return result;
    },
    async close() {
      happened.push('closed');
    },
  };
  return { store, letGo: () => resolve(undefined), happened };
}

it('close: waits for a copy that reads, closes the store once, and refuses the next call of the copy', async () => {
  const { store, letGo, happened } = givenStore();
  const { transfer, close } = createKeyValueStorage(store);

  const counted = transfer.count('clients');
  const closed = [close(), close()];
  const refused = { code: 'SERVICE_UNAVAILABLE' };
  await expect(transfer.count('clients')).rejects.toMatchObject(refused);
  await expect(transfer.read('clients', null, 1)).rejects.toMatchObject(refused);
  await expect(transfer.write('clients', [])).rejects.toMatchObject(refused);
  await expect(transfer.begin()).rejects.toMatchObject(refused);
  expect(happened).toEqual([]);
  letGo();

  expect(await counted).toBe(0);
  await Promise.all(closed);
  expect(happened).toEqual(['answered', 'closed']);
});

it('close: closes the store after an operation that failed', async () => {
  const { store, letGo, happened } = givenStore();
  const failing = { ...store, run: () => Promise.reject(new Error('down')) };
  const { ping, close } = createKeyValueStorage(failing);
  letGo();

  const answer = ping();
  const closed = close();

  await expect(answer).rejects.toThrow('down');
  await closed;
  expect(happened).toEqual(['closed']);
});
