import { STATUSES, type Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient, givenClients, givenSandbox } from '../records/clients.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { moved } from '../records/records.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** What a sandbox still has to drive, and that nothing else ever is. */
export const dueInSandboxSuite: Suite = suiteOf('due in sandbox', {
  'what a sandbox has pending or submitted, with an outcome to drive it to, is due as it is stored': async (
    storage,
  ) => {
    await givenSandbox(storage);
    expect(await storage.verifications.dueInSandbox(10)).toEqual([]);
    const rich = { type: 'kyb', metadata: { sandboxOutcome: 'approved', list: [1] } } as const;
    const pending = await givenVerification(storage, 1, { ...rich, sandboxOutcome: 'approved' });
    const submitted = await givenVerification(storage, 2, {
      status: 'submitted',
      sandboxOutcome: 'action_needed',
    });
    const other = await givenVerification(storage, 3, { status: 'pending', sandboxOutcome: 'rejected' });

    expect(await storage.verifications.dueInSandbox(10)).toEqual([pending, submitted, other]);
  },

  'nothing is due without an outcome, in another state, or outside of sandboxes': async (storage) => {
    await givenSandbox(storage, 1);
    await givenClient(storage, 2);
    for (const [index, status] of STATUSES.entries()) {
      await givenVerification(storage, 10 + index, { status });
      await givenVerification(storage, 20 + index, { status, sandboxOutcome: 'approved' });
      const elsewhere = { clientId: clientId(2), sandboxOutcome: 'approved' } as const;
      await givenVerification(storage, 30 + index, { status, ...elsewhere });
    }

    expect(await due(storage)).toEqual([20, 21].map(verificationId));
  },

  'the oldest of all sandboxes are due first, as many as asked for': async (storage) => {
    await givenSandbox(storage, 1);
    await givenSandbox(storage, 2);
    for (const [n, milliseconds] of [
      [3, 5],
      [1, 5],
      [5, 4],
      [2, 6],
      [4, 999],
    ] as const) {
      const record = { clientId: clientId(1 + (n % 2)), requestedAt: minute(9, milliseconds) };
      await givenVerification(storage, n, { ...record, sandboxOutcome: 'rejected' });
    }
    await givenVerification(storage, 6, { requestedAt: minute(8, 999), sandboxOutcome: 'approved' });

    const all = await due(storage);

    expect(all.filter((id) => id !== verificationId(3))).toEqual([6, 5, 1, 2, 4].map(verificationId));
    expect([all[2], all[3]].sort(), 'those of one moment in any order').toEqual([1, 3].map(verificationId));
    expect(await due(storage, 2)).toEqual([6, 5].map(verificationId));
    expect(await due(storage, 1)).toEqual([verificationId(6)]);
  },

  'what a reviewer has claimed is not due, until it is given back': async (storage) => {
    await givenSandbox(storage);
    const stored = await givenVerification(storage, 1, { status: 'submitted', sandboxOutcome: 'approved' });
    const claimed = moved(stored, 'submitted', { claimedBy: 'reviewer-1', claimedAt: minute(5) });

    await commit(storage, claimed);
    expect(await due(storage)).toEqual([]);

    const released = moved(claimed, 'submitted', { claimedBy: null, claimedAt: null });
    await commit(storage, released);
    expect(await storage.verifications.dueInSandbox(10)).toEqual([released]);
  },

  'it stays due while it is driven, until its outcome is taken away with a change': async (storage) => {
    await givenSandbox(storage);
    const pending = await givenVerification(storage, 1, { sandboxOutcome: 'approved' });
    const untouched = await givenVerification(storage, 2, { sandboxOutcome: 'approved' });

    const submitted = moved(pending, 'submitted');
    await commit(storage, submitted);
    expect(await storage.verifications.dueInSandbox(10)).toEqual([submitted, untouched]);

    const driven = moved(submitted, 'approved', { sandboxOutcome: null });
    await commit(storage, driven);
    expect(await storage.verifications.dueInSandbox(10)).toEqual([untouched]);
    expect(await storage.verifications.find(clientId(1), pending.id)).toEqual(driven);

    await commit(storage, moved(untouched, 'pending', { sandboxOutcome: null }));
    expect(await storage.verifications.dueInSandbox(10)).toEqual([]);
  },

  'a change that brings an outcome makes it due, and one that is lost does not': async (storage) => {
    await givenSandbox(storage);
    const stored = await givenVerification(storage, 1);
    const change = moved(stored, 'pending', { sandboxOutcome: 'rejected' });

    await commit(storage, change, { expectedVersion: 7 });
    expect(await due(storage)).toEqual([]);

    await commit(storage, change);
    expect(await storage.verifications.dueInSandbox(10)).toEqual([change]);
  },

  'a client that is a sandbox no more has nothing due, and again once it is one': async (storage) => {
    await givenClients(storage, 2);
    for (const n of range(1, 4)) {
      await givenVerification(storage, n, { clientId: clientId(1 + (n % 2)), sandboxOutcome: 'approved' });
    }
    expect(await due(storage)).toEqual([]);

    await storage.clients.setSandbox(clientId(1), true);
    await storage.clients.setSandbox(clientId(2), true);
    expect(await due(storage)).toEqual([1, 2, 3, 4].map(verificationId));

    await storage.clients.setSandbox(clientId(2), false);
    expect(await due(storage)).toEqual([2, 4].map(verificationId));

    await storage.clients.setSandbox(clientId(2), true);
    expect(await due(storage)).toEqual([1, 2, 3, 4].map(verificationId));
  },
});

async function due({ verifications }: Storage, limit = 100): Promise<string[]> {
  return (await verifications.dueInSandbox(limit)).map(({ id }) => id);
}
