import { CountersignError } from '@countersign/domain';
import { EvidenceFault, type EvidencePlace, type EvidenceStore } from '@countersign/domain/evidence';
import { createMemoryEvidenceStore } from '@countersign/memory';
import { expect, test } from 'vitest';
import { countEvidenceOutages } from './count-evidence-outages.ts';
import { createMetrics } from './metrics.ts';

const PLACE: EvidencePlace = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'file-1' };

/** A store whose operations all fail. */
function failing(error: Error): EvidenceStore {
  const fail = () => Promise.reject(error);
  return {
    put: fail,
    get: fail,
    delete: fail,
    filesOf: fail,
    listWrittenBefore: () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) }),
  };
}

/** Calls each operation once, and returns the messages of those that failed. */
async function callAll(store: EvidenceStore): Promise<readonly string[]> {
  const calls = [
    () => store.put(PLACE, Uint8Array.of(1)),
    () => store.get(PLACE),
    () => store.filesOf(PLACE),
    async () => {
      for await (const place of store.listWrittenBefore(new Date())) expect(place).toEqual(PLACE);
    },
    () => store.delete(PLACE),
  ];
  const failed: string[] = [];
  for (const call of calls) await call().catch((error: Error) => failed.push(error.message));
  return failed;
}

async function countsOf(store: EvidenceStore) {
  const metrics = createMetrics();
  const failed = await callAll(countEvidenceOutages(store, metrics));
  const text = await metrics.text();
  const counts = [...text.matchAll(/^countersign_evidence_unavailable_total\{operation="(\w+)"\} (\d+)$/gm)];
  return { failed, counts: Object.fromEntries(counts.map(([, name, count]) => [name, Number(count)])) };
}

test('evidence metrics: count each operation that the store could not do, and pass its error on', async () => {
  const { failed, counts } = await countsOf(failing(new CountersignError('SERVICE_UNAVAILABLE', 'no bucket')));
  expect(failed).toEqual(Array.from({ length: 5 }, () => 'no bucket'));
  expect(counts).toEqual({ put: 1, get: 1, list: 2, delete: 1 });
});

test('evidence metrics: are 0 for a store that works, and for a damaged file', async () => {
  const none = { put: 0, get: 0, list: 0, delete: 0 };
  expect(await countsOf(createMemoryEvidenceStore())).toEqual({ failed: [], counts: none });
  const damaged = await countsOf(failing(new EvidenceFault('FILE_DAMAGED', PLACE)));
  expect(damaged).toMatchObject({ failed: { length: 5 }, counts: none });
});
