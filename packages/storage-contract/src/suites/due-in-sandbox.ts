import { STATUSES } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient, givenTestTwin } from '../records/clients.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { moved } from '../records/records.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** The verifications that test mode still has to drive, and no others. */
export const dueInSandboxSuite: Suite = suiteOf('due in sandbox', {
  'due: returns pending and submitted verifications with an outcome, as stored': async (storage) => {
    await givenTestTwin(storage);
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

  'due: leaves out verifications without an outcome, in other states and of ordinary clients': async (storage) => {
    await givenTestTwin(storage, 1);
    await givenClient(storage, 2);
    for (const [index, status] of STATUSES.entries()) {
      await givenVerification(storage, 10 + index, { status });
      await givenVerification(storage, 20 + index, { status, sandboxOutcome: 'approved' });
      const elsewhere = { clientId: clientId(2), sandboxOutcome: 'approved' } as const;
      await givenVerification(storage, 30 + index, { status, ...elsewhere });
    }

    expect(await due(storage)).toEqual([20, 21].map(verificationId));
  },

  'due: the oldest of all test twins come first, up to the limit': async (storage) => {
    await givenTestTwin(storage, 1);
    await givenTestTwin(storage, 2);
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

  'due: leaves out claimed verifications until they are released': async (storage) => {
    await givenTestTwin(storage);
    const stored = await givenVerification(storage, 1, { status: 'submitted', sandboxOutcome: 'approved' });
    const claimed = moved(stored, 'submitted', { claimedBy: 'reviewer-1', claimedAt: minute(5) });

    await commit(storage, claimed);
    expect(await due(storage)).toEqual([]);

    const released = moved(claimed, 'submitted', { claimedBy: null, claimedAt: null });
    await commit(storage, released);
    expect(await storage.verifications.dueInSandbox(10)).toEqual([released]);
  },

  'due: returns a verification until a change removes its outcome': async (storage) => {
    await givenTestTwin(storage);
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

  'due: a committed outcome makes a verification due; a conflict does not': async (storage) => {
    await givenTestTwin(storage);
    const stored = await givenVerification(storage, 1);
    const change = moved(stored, 'pending', { sandboxOutcome: 'rejected' });

    await commit(storage, change, { expectedVersion: 7 });
    expect(await due(storage)).toEqual([]);

    await commit(storage, change);
    expect(await storage.verifications.dueInSandbox(10)).toEqual([change]);
  },

  'due: only of clients that are test twins': async (storage) => {
    await givenTestTwin(storage, 1);
    await givenClient(storage, 2);
    for (const n of range(1, 4)) {
      await givenVerification(storage, n, { clientId: clientId(1 + (n % 2)), sandboxOutcome: 'approved' });
    }

    expect(await due(storage)).toEqual([2, 4].map(verificationId));
  },
});

async function due({ verifications }: Storage, limit = 100): Promise<string[]> {
  return (await verifications.dueInSandbox(limit)).map(({ id }) => id);
}
