import type { Storage, VerificationRecord } from '@countersign/domain';
import { expect } from 'vitest';
import { range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { minute } from '../records/moments.ts';
import { aQuery } from '../records/queries.ts';
import { aQueueQuery, asQueued, found, queued, reviewer } from '../records/queue.ts';
import { moved } from '../records/records.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** When a verification was submitted and who works on it: kept, replaced and cleared with the rest of the record. */
export const claimsSuite: Suite = suiteOf('submissions and claims', {
  'submission and claim are read the same by every way': async (storage) => {
    const record = await givenClaimed(storage);
    const { verifications } = storage;
    const { id } = record;

    expect(await verifications.find(clientId(1), id)).toEqual(record);
    expect(await verifications.findForAnyClient(id)).toEqual(record);
    expect(await verifications.findByIdempotencyKey(clientId(1), 'key')).toEqual(record);
    expect((await verifications.findWithEvents(clientId(1), id))?.record).toEqual(record);
    expect((await verifications.findWithEventsForAnyClient(id))?.record).toEqual(record);
    expect((await verifications.list(clientId(1), aQuery())).records).toEqual([record]);
    expect((await verifications.queue(aQueueQuery())).records).toEqual([asQueued(record)]);
  },

  'a claim is taken over': async (storage) => {
    const record = await givenClaimed(storage);

    const taken = { ...record, version: 4, claimedBy: reviewer(2), claimedAt: minute(70, 7) };
    await commit(storage, taken);

    expect(await storage.verifications.find(clientId(1), record.id)).toEqual(taken);
    expect(await queued(storage, { claimedBy: reviewer(1) })).toEqual(found());
    expect(await queued(storage, { claimedBy: reviewer(2) })).toEqual(found(1));
  },

  'a claim is given back, and the moment of submission stays': async (storage) => {
    const record = await givenClaimed(storage);

    await commit(storage, { ...record, version: 4, claimedBy: null, claimedAt: null });

    const stored = await storage.verifications.find(clientId(1), record.id);
    expect(stored).toEqual({ ...record, version: 4, claimedBy: null, claimedAt: null });
    expect(stored?.submittedAt).toEqual(minute(60, 6));
    expect(await queued(storage, { claimedBy: null })).toEqual(found(1));
  },

  'a decision ends the claim, and the moment of submission stays': async (storage) => {
    const record = await givenClaimed(storage);

    const decided = moved(record, 'approved');
    await commit(storage, decided);

    expect(decided).toMatchObject({ claimedBy: null, claimedAt: null, submittedAt: minute(60, 6) });
    expect(await storage.verifications.find(clientId(1), record.id)).toEqual(decided);
    expect(await queued(storage, { claimedBy: reviewer(1) })).toEqual(found());
  },

  'of many who claim at once, one does': async (storage) => {
    await givenClient(storage);
    const record = await givenVerification(storage, 1, { status: 'submitted' });

    const outcomes = await Promise.all(
      range(1, 10).map((n) => {
        const claimed = { ...record, version: 3, claimedBy: reviewer(n), claimedAt: minute(n) };
        return commit(storage, claimed, { events: [] });
      }),
    );

    expect(tally(outcomes)).toEqual({ committed: 1, conflict: 9 });
    const winner = 1 + outcomes.findIndex(({ outcome }) => outcome === 'committed');
    expect(await storage.verifications.find(clientId(1), record.id)).toMatchObject({
      claimedBy: reviewer(winner),
      claimedAt: minute(winner),
    });
  },
});

/** Submitted, and claimed by the first reviewer in its third version. */
async function givenClaimed(storage: Storage): Promise<VerificationRecord> {
  await givenClient(storage);
  const keys = { idempotencyKey: 'key', idempotencyFingerprint: '1'.repeat(64) };
  const submitted = await givenVerification(storage, 1, {
    status: 'submitted',
    submittedAt: minute(60, 6),
    sandboxOutcome: 'rejected',
    ...keys,
  });
  const record = { ...submitted, version: 3, claimedBy: reviewer(1), claimedAt: minute(61, 999) };
  await commit(storage, record);
  return record;
}
