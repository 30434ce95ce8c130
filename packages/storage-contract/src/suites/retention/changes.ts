import type { RetainedVerification, Storage, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { expectRejected, range, tally } from '../../records/at-once.ts';
import { givenClient } from '../../records/clients.ts';
import { eventOf } from '../../records/events.ts';
import { clientId, eventId, minute, verificationId } from '../../records/ids.ts';
import { expectUnchanged } from '../../records/picture.ts';
import { moved } from '../../records/records.ts';
import {
  asRecord,
  change,
  changed,
  givenFacts,
  givenPersonal,
  NO_IDS,
  retained,
} from '../../records/retention.ts';
import { commit, givenVerification, wholeOf } from '../../records/verifications.ts';
import { fanOutAll } from '../../records/webhooks.ts';
import { type Suite, suiteGiven } from '../../suite.ts';

async function givenApproved(storage: Storage): Promise<RetainedVerification> {
  await givenClient(storage);
  await givenClient(storage, 2);
  await givenPersonal(storage, 2);
  await givenPersonal(storage, 1);
  return retained(storage, 1);
}

const stored = async (storage: Storage, n = 1): Promise<VerificationRecord | null> =>
  storage.verifications.find(clientId(1), verificationId(n));

/** Changes of a verification that do not touch its documents. */
export const retentionChangesSuite: Suite = suiteGiven('changes of retention', givenApproved, {
  'change: stores each fact to the millisecond, and keeps documents, data key and the rest': async (
    storage,
    before,
  ) => {
    const whole = await wholeOf(storage, before.id);
    const facts = {
      relationshipEndedAt: minute(70, 1),
      heldAt: minute(71, 2),
      heldBy: 'owner “7” 😀',
      heldUntil: minute(9_000, 3),
      erasureRequestedAt: minute(72, 4),
      retentionCheckAt: minute(73, 5),
      uploadsCheckAt: minute(76, 8),
    };
    const after = changed(before, facts);

    expect(await change(storage, after, 'verification.held')).toEqual({ outcome: 'committed' });

    expect(await retained(storage, 1)).toEqual(after);
    const { version, eventCount } = after;
    expect(await wholeOf(storage, before.id)).toEqual({
      record: { ...whole?.record, ...facts, version, eventCount },
      events: [...(whole?.events ?? []), eventOf(asRecord(after), { type: 'verification.held' })],
    });
  },

  'change: removes facts': async (storage) => {
    const held = { heldAt: minute(71), heldBy: 'owner', heldUntil: minute(90), retentionCheckAt: minute(73) };
    await givenFacts(storage, 1, { ...held, relationshipEndedAt: minute(70), erasureRequestedAt: minute(72) });
    const none = {
      heldAt: null,
      heldBy: null,
      heldUntil: null,
      relationshipEndedAt: null,
      erasureRequestedAt: null,
    };
    const after = await givenFacts(storage, 1, { ...none, erasedAt: minute(74), retentionCheckAt: null });

    expect(await retained(storage, 1)).toEqual(after);
    expect(after.heldAt).toBeNull();
  },

  'change: stores a withdrawal, and the counts and the history follow': async (storage) => {
    const submitted = await givenVerification(storage, 3, { status: 'submitted', sandboxOutcome: 'approved' });
    const claimed = { ...submitted, version: 3, claimedBy: 'reviewer', claimedAt: minute(61) };
    await commit(storage, claimed, { events: [] });
    const withdrawn: RetainedVerification = {
      ...changed(await retained(storage, 3), {}),
      status: 'rejected',
      resolvedAt: minute(80, 8),
      claimedBy: null,
      claimedAt: null,
      sandboxOutcome: null,
      retentionCheckAt: minute(80, 8),
    };

    await change(storage, withdrawn, 'verification.withdrawn');

    expect(await retained(storage, 3)).toEqual({ ...withdrawn, decidedBy: 'verification.withdrawn' });
    expect((await stored(storage, 3))?.answers).toEqual(submitted.answers);
    expect(await storage.verifications.countByStatus()).toMatchObject({ approved: 2, rejected: 1, submitted: 0 });
    const history = await storage.verifications.findWithHistory(clientId(1), verificationId(3));
    expect(history?.events.at(-1)?.type).toBe('verification.withdrawn');
  },

  'change: keeps the columns that are not part of it': async (storage, before) => {
    const record = await stored(storage);
    const other = {
      type: 'kyb',
      flowVersion: 9,
      subjectReference: 'another',
      requestedAt: minute(500),
      submittedAt: minute(501),
      currentStep: 0,
      linkVersion: 44,
      linkExpiresAt: minute(502),
      idempotencyKey: 'another',
      idempotencyFingerprint: '2'.repeat(64),
      returnUrl: null,
      locale: null,
      erasureNumber: 7,
    } as const;
    const after = changed(before, { heldAt: minute(71) });

    await storage.retention.change({
      verification: { ...after, ...other },
      expectedVersion: before.version,
      events: [],
    });

    const { version, eventCount, heldAt } = after;
    expect(await stored(storage)).toEqual({ ...record, version, eventCount, heldAt });
  },

  'change: its events are fanned out': async (storage) => {
    await givenVerification(storage, 3);
    const withdrawn = changed(await retained(storage, 3), { status: 'rejected', resolvedAt: minute(80) });
    await change(storage, withdrawn, 'verification.withdrawn');
    const whole = await wholeOf(storage, withdrawn.id);

    expect(await fanOutAll(storage)).toContain(whole?.events.at(-1)?.id);
  },

  'change: over another version is a conflict and changes nothing': async (storage, before) => {
    await expectUnchanged(storage, async () => {
      for (const expectedVersion of [before.version - 1, before.version + 1, 0]) {
        const verification = { ...before, version: expectedVersion + 1, heldAt: minute(71) };
        const events = [eventOf(asRecord(verification), { id: eventId(expectedVersion) })];
        const outcome = await storage.retention.change({ verification, expectedVersion, events });
        expect(outcome).toEqual({ outcome: 'conflict' });
      }
    });
  },

  'change: another client, an unknown id, and a text that cannot be an id are a conflict': async (
    storage,
    before,
  ) => {
    await expectUnchanged(storage, async () => {
      const foreign = { ...before, clientId: clientId(2) };
      for (const verification of [foreign, ...NO_IDS.map((id) => ({ ...before, id }))]) {
        const change = { verification, expectedVersion: before.version, events: [] };
        expect(await storage.retention.change(change), verification.id).toEqual({ outcome: 'conflict' });
      }
    });
  },

  'change: refuses facts that contradict each other or the status, and changes nothing': async (
    storage,
    before,
  ) => {
    await givenVerification(storage, 3);
    const pending = await retained(storage, 3);
    const at = minute(71);

    await expectUnchanged(storage, async () => {
      for (const [verification, facts] of [
        [pending, { erasureRequestedAt: at }],
        [pending, { erasedAt: at }],
        [pending, { retentionCheckAt: at }],
        [pending, { relationshipEndedAt: at }],
        [before, { heldBy: 'owner' }],
        [before, { heldAt: at, erasedAt: at }],
      ] as const) {
        const columns = JSON.stringify({ status: verification.status, ...facts });
        await expectRejected(change(storage, changed(verification, facts)), `change to ${columns}`);
      }
    });
  },

  'change: of twenty at once, with commits among them, one succeeds': async (storage, before) => {
    const record = (await stored(storage)) as VerificationRecord;

    const outcomes = await Promise.all(
      range(0, 19).map((n) => {
        const held = { heldAt: minute(100 + n), heldBy: `owner ${n}` };
        if (n % 2 === 0) {
          const verification = changed(before, held);
          const events = [eventOf(asRecord(verification), { id: eventId(n), data: { by: n } })];
          return storage.retention.change({ verification, expectedVersion: before.version, events });
        }
        const next = moved(record, 'approved', {
          ...held,
          answers: record.answers,
          reviewData: record.reviewData,
        });
        return commit(storage, next, { events: [eventOf(next, { id: eventId(n), data: { by: n } })] });
      }),
    );

    expect(tally(outcomes)).toEqual({ committed: 1, conflict: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'committed');
    expect(await retained(storage, 1)).toMatchObject({ heldAt: minute(100 + winner), heldBy: `owner ${winner}` });
    const events = (await wholeOf(storage, before.id))?.events.slice(before.eventCount);
    expect(events?.map(({ data }) => data)).toEqual([{ by: winner }]);
  },

  'change: of a hold and the beginning of an erasure at the same time, one succeeds': async (storage, before) => {
    const record = (await stored(storage)) as VerificationRecord;
    const held = moved(record, 'approved', {
      answers: record.answers,
      reviewData: { ...record.reviewData, hold: { reason: 'lawsuit' } },
      heldAt: minute(71),
    });
    const begun = changed(before, { erasedAt: minute(72) });

    const [hold, beginning] = await Promise.all([
      commit(storage, held),
      change(storage, begun, 'verification.erasure_requested'),
    ]);

    expect(tally([hold, beginning])).toEqual({ committed: 1, conflict: 1 });
    const isHeld = hold.outcome === 'committed';
    expect(await retained(storage, 1)).toMatchObject({
      heldAt: isHeld ? held.heldAt : null,
      erasedAt: isHeld ? null : begun.erasedAt,
    });
    expect((await stored(storage))?.reviewData).toEqual(isHeld ? held.reviewData : record.reviewData);
  },
});
