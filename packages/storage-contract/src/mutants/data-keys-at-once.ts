import type { Storage } from '@countersign/domain';
import { dataKeysAtOnceSuite } from '../suites/data-keys-at-once.ts';
import { committing, replacing } from './around.ts';
import { type Mutant, mutantsOf, roundTrip } from './mutant.ts';

export const dataKeysAtOnceMutants: readonly Mutant[] = mutantsOf(dataKeysAtOnceSuite, {
  'looks first and replaces later': (storage) =>
    replacing(storage, async (next, change) => {
      const stored = await storage.dataKeys.find(change.clientId, change.verificationId);
      if (stored?.wrapped !== change.expected?.wrapped) return { outcome: 'conflict' };
      await roundTrip();
      for (;;) {
        const expected = await storage.dataKeys.find(change.clientId, change.verificationId);
        const answer = await next({ ...change, expected });
        if (answer.outcome === 'replaced') return answer;
      }
    }),
  'replaces one at a time': (storage) => {
    let busy = false;
    return replacing(storage, async (next, change) => {
      if (busy) return { outcome: 'conflict' };
      busy = true;
      await roundTrip();
      busy = false;
      return next(change);
    });
  },
  'reads the record and writes it back whole': (storage) =>
    replacing(storage, async (next, change) => {
      const read = await storage.verifications.find(change.clientId, change.verificationId);
      await roundTrip();
      const present = await storage.verifications.find(change.clientId, change.verificationId);
      if (read !== null && present !== null) {
        await storage.verifications.commit({ record: read, expectedVersion: present.version, events: [] });
      }
      return next(change);
    }),
  'commits over a replacement': (storage) =>
    committing(storage, async (next, change) => {
      const { clientId, id: verificationId } = change.record;
      const read = await storage.dataKeys.find(clientId, verificationId);
      await roundTrip();
      const expected = await storage.dataKeys.find(clientId, verificationId);
      if (read !== null) await storage.dataKeys.replace({ clientId, verificationId, expected, next: read });
      return next(change);
    }),
  'takes a change of the verification for a conflict': (storage) => {
    const versions = new Map<string, number>();
    return replacing(storage, async (next, change) => {
      versions.set(change.verificationId, await versionOf(storage, change.verificationId));
      await roundTrip();
      const isSame = versions.get(change.verificationId) === (await versionOf(storage, change.verificationId));
      return isSame ? next(change) : { outcome: 'conflict' };
    });
  },
});

async function versionOf(storage: Storage, id: string): Promise<number> {
  return (await storage.verifications.findForAnyClient(id))?.version ?? 0;
}
