import type { EvidencePlace } from '@countersign/domain/evidence';
import { expect, it } from 'vitest';
import { createMemoryEvidenceStore } from './memory-evidence-store.ts';
import { createFixedClock } from './predictable.ts';

const place: EvidencePlace = { clientId: 'client', verificationId: 'verification', fileId: 'file' };

it('memory evidence store: lists files written before a moment by the clock given', async () => {
  const clock = createFixedClock();
  const store = createMemoryEvidenceStore({ now: clock.now });
  for (const fileId of ['a', 'b']) await store.put({ ...place, fileId }, Uint8Array.of(1));
  clock.advance(1);
  await store.put(place, Uint8Array.of(1));

  const listed: string[] = [];
  for await (const { fileId } of store.listWrittenBefore(clock.now())) listed.push(fileId);
  expect(listed).toEqual(['a', 'b']);
});
