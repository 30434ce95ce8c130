import type { RetentionFacts } from '@countersign/domain/retention';
import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { expectRejected } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { pictureOf } from '../records/picture.ts';
import { aBrowseQuery, aQuery } from '../records/queries.ts';
import { moved } from '../records/records.ts';
import { commit, givenVerification, wholeOf } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const HELD: Partial<RetentionFacts> = {
  relationshipEndedAt: minute(70, 1),
  heldAt: minute(71, 2),
  heldBy: 'owner “7” 😀',
  heldUntil: minute(9_000, 3),
  erasureRequestedAt: minute(72, 4),
  retentionCheckAt: minute(73, 5),
  uploadsCheckAt: minute(76, 8),
};
const BEING_ERASED: Partial<RetentionFacts> = {
  heldAt: null,
  heldBy: null,
  heldUntil: null,
  erasedAt: minute(74, 6),
  retentionCheckAt: minute(75, 7),
};

/** The facts beside the status that decide how long data is kept. */
export const retentionFactsSuite: Suite = suiteOf('retention facts', {
  'commit: keeps each fact to the millisecond, in every read': async (storage) => {
    await givenClient(storage);
    const approved = await givenVerification(storage, 1, { status: 'approved' });
    const held = changed(approved, HELD);
    await commit(storage, held);
    await expectRead(storage, held);
    const erased = changed(held, BEING_ERASED);
    await commit(storage, erased);
    await expectRead(storage, erased);
  },

  'commit: removes facts, and leaves those of other verifications': async (storage) => {
    await givenClient(storage);
    const [first, second] = [
      await givenVerification(storage, 1, { status: 'approved' }),
      await givenVerification(storage, 2, { status: 'approved' }),
    ];
    const kept = changed(second, HELD);
    await commit(storage, changed(first, HELD));
    await commit(storage, kept);
    const released = { ...first, version: first.version + 2, eventCount: first.eventCount + 2 };
    await commit(storage, released);

    expect((await pictureOf(storage))[0]?.verifications).toEqual([released, kept]);
  },

  'commit: keeps a hold of an open verification': async (storage) => {
    await givenClient(storage);
    const pending = await givenVerification(storage, 1);
    const held = changed(pending, { heldAt: minute(71), uploadsCheckAt: minute(72) });
    await commit(storage, held);
    await expectRead(storage, held);
  },

  'commit: refuses facts that contradict each other or the status, and changes nothing': async (storage) => {
    await givenClient(storage);
    const pending = await givenVerification(storage, 1);
    const rejected = await givenVerification(storage, 2, { status: 'rejected' });
    const before = await pictureOf(storage);
    const at = minute(71);
    const refused: readonly [VerificationRecord, Partial<RetentionFacts>][] = [
      [pending, { erasureRequestedAt: at }],
      [pending, { erasedAt: at }],
      [pending, { retentionCheckAt: at }],
      [rejected, { relationshipEndedAt: at }],
      [rejected, { heldBy: 'owner' }],
      [rejected, { heldUntil: at }],
      [rejected, { heldAt: at, erasedAt: at }],
      // It still has its data.
      [rejected, { erasedAt: at, erasureNumber: 1 }],
    ];
    for (const [record, facts] of refused) {
      const columns = JSON.stringify({ status: record.status, ...facts });
      await expectRejected(commit(storage, changed(record, facts)), `commit of ${columns}`);
    }
    expect(await pictureOf(storage)).toEqual(before);
  },
});

/** The record with other facts, one version up, in the same status. */
function changed(record: VerificationRecord, facts: Partial<RetentionFacts>): VerificationRecord {
  return { ...moved(record, record.status), ...facts };
}

/** Expects that every read returns the record. */
async function expectRead(storage: Storage, record: VerificationRecord): Promise<void> {
  const { verifications } = storage;
  const [client, id] = [clientId(1), verificationId(1)];
  expect(await verifications.find(client, id)).toEqual(record);
  expect(await verifications.findForAnyClient(id)).toEqual(record);
  expect((await wholeOf(storage, id))?.record).toEqual(record);
  expect((await verifications.list(client, aQuery())).records).toEqual([record]);
  // Documents may be empty here.
  const [browsed] = (await verifications.browse(client, aBrowseQuery())).records;
  expect({ ...browsed, answers: record.answers, reviewData: record.reviewData }).toEqual(record);
}
