import type { EvidencePlace } from '@countersign/domain';
import { expect, it } from 'vitest';
import { createFixedClock } from './fixed-clock.ts';
import { createMemoryEvidenceStore } from './memory-evidence-store.ts';

const place: EvidencePlace = { clientId: 'client', verificationId: 'verification', fileId: 'file' };
const content = Uint8Array.of(1, 2, 3);

it('gives back what was put, as a copy', async () => {
  const store = createMemoryEvidenceStore();
  const given = content.slice();
  await store.put(place, given);
  given.fill(0);
  (await store.get(place))?.fill(9);
  expect(await store.get(place)).toEqual(content);
  expect(await store.get({ ...place, clientId: 'other' })).toBeNull();
});

it('takes no place twice', async () => {
  const store = createMemoryEvidenceStore();
  await store.put(place, content);
  await expect(store.put(place, Uint8Array.of(4))).rejects.toThrow('there already');
  expect(await store.get(place)).toEqual(content);
});

it('deletes for good, and what is not there without a word', async () => {
  const store = createMemoryEvidenceStore();
  await store.put(place, content);
  await store.delete(place);
  await store.delete(place);
  expect(await store.get(place)).toBeNull();
});

it('lists what was written before a moment, also while it is deleted from', async () => {
  const clock = createFixedClock();
  const store = createMemoryEvidenceStore({ now: clock.now });
  for (const fileId of ['a', 'b', 'c']) await store.put({ ...place, fileId }, content);
  clock.advance(1);
  const moment = clock.now();
  await store.put(place, content);

  const listed: string[] = [];
  for await (const old of store.listWrittenBefore(moment)) {
    listed.push(old.fileId);
    await store.delete(old);
  }
  expect(listed).toEqual(['a', 'b', 'c']);
  expect(await store.get(place)).toEqual(content);
});
