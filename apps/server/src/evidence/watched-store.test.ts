import { CountersignError } from '@countersign/domain';
import { createMemoryEvidenceStore } from '@countersign/memory';
import { expect, test, vi } from 'vitest';
import { watchStore } from './watched-store.ts';

const place = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'file-1' };
const content = new Uint8Array([1]);

function given() {
  const inner = createMemoryEvidenceStore();
  let now = 0;
  const watched = watchStore(inner, () => now);
  const pass = (ms: number) => {
    now += ms;
  };
  const failOnce = (operation: 'put' | 'get', fault: Error) =>
    vi.spyOn(inner, operation).mockRejectedValueOnce(fault);
  return { ...watched, failOnce, pass };
}

const unavailable = () => new CountersignError('SERVICE_UNAVAILABLE');

test('a store is down from a failure of its disk or bucket until the same works', async () => {
  const { store, isDown, failOnce } = given();
  await store.put(place, content);
  expect(isDown()).toBe(false);
  failOnce('put', unavailable());
  await expect(store.put(place, content)).rejects.toThrow(unavailable());
  expect(isDown()).toBe(true);
  expect(await store.get(place)).toEqual(content);
  expect(isDown(), 'a full disk can be read').toBe(true);
  await store.put({ ...place, fileId: 'file-2' }, content);
  expect(isDown()).toBe(false);
});

test('a failure counts for a minute', async () => {
  const { store, isDown, failOnce, pass } = given();
  failOnce('get', unavailable());
  await expect(store.get(place)).rejects.toThrow(unavailable());
  pass(59_999);
  expect(isDown()).toBe(true);
  pass(1);
  expect(isDown()).toBe(false);
});

test('a damaged file is no failure of the store', async () => {
  const { store, isDown, failOnce } = given();
  failOnce('get', new Error('damaged'));
  await expect(store.get(place)).rejects.toThrow('damaged');
  expect(isDown()).toBe(false);
});
