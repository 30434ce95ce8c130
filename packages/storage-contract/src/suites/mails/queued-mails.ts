import { expect } from 'vitest';
import { givenClient } from '../../records/clients.ts';
import { clientId, verificationId } from '../../records/ids.ts';
import { allMails, aMail, aUserMail, heldBy, leaseMails } from '../../records/mails.ts';
import { aRecord, keyedBy, moved } from '../../records/records.ts';
import { ERASED_AT, erasureOf, givenBegun, givenFacts, givenPersonal } from '../../records/retention.ts';
import { commit, createCharged, givenVerification, wholeOf } from '../../records/verifications.ts';
import { type Suite, suiteGiven } from '../../suite.ts';

const NOTIFY = { email: 'ada.lovelace@example.org' };

/** Mails that enter the queue with a change of a verification, and leave it with an erasure; and the address that they go to. */
export const queuedMailsSuite: Suite = suiteGiven('mails of verifications', givenClient, {
  'createCharged: queues mails with the verification': async (storage) => {
    const mails = [aMail(1), aMail(2, { verificationId: verificationId(1), kind: 'verification.reminder' })];

    expect(await createCharged(storage, aRecord(1), { mails })).toEqual({ outcome: 'created' });

    expect(await allMails(storage)).toEqual(mails);
  },

  'createCharged: queues the mails of many at once': async (storage) => {
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        createCharged(storage, aRecord(n, { notify: NOTIFY }), { mails: n % 3 === 0 ? [] : [aMail(n)] }),
      ),
    );

    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(30);
    const queued = (await allMails(storage)).map(({ verificationId: id }) => id);
    expect(queued).toEqual(
      Array.from({ length: 30 }, (_, n) => n)
        .filter((n) => n % 3 !== 0)
        .map(verificationId),
    );
  },

  'createCharged: queues nothing if it creates nothing': async (storage) => {
    const keyed = aRecord(1, keyedBy('key'));
    await createCharged(storage, keyed, { allowance: 1 });

    const mails = [aMail(2)];
    const outcomes = [
      await createCharged(storage, { ...keyed, id: verificationId(2) }, { mails }),
      await createCharged(storage, aRecord(2, { subjectReference: keyed.subjectReference }), { mails }),
      await createCharged(storage, aRecord(2), { mails, allowance: 1 }),
    ];

    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['key_used', 'duplicate', 'limit_reached']);
    expect(await allMails(storage)).toEqual([]);
  },

  'commit: queues mails with the change, and nothing if there is a conflict': async (storage) => {
    const record = await givenVerification(storage, 1, { status: 'submitted' });
    const approved = moved(record, 'approved');
    const result = aMail(1, { kind: 'verification.result' });

    const conflict = await commit(storage, approved, { expectedVersion: 1, mails: [aMail(2)] });
    expect(conflict).toEqual({ outcome: 'conflict' });
    expect(await commit(storage, approved, { mails: [result] })).toEqual({ outcome: 'committed' });

    expect(await allMails(storage)).toEqual([result]);
  },

  'createCharged: stores the address; commit leaves it': async (storage) => {
    const pending = await givenVerification(storage, 1, { notify: NOTIFY });
    const without = await givenVerification(storage, 2);
    const submitted = moved(pending, 'submitted', { notify: { email: 'other@example.org' } });
    expect(await commit(storage, submitted)).toEqual({ outcome: 'committed' });
    expect(await commit(storage, moved(submitted, 'approved', { notify: null }))).toEqual({
      outcome: 'committed',
    });
    await commit(storage, moved(without, 'pending', { notify: NOTIFY, currentStep: 1 }));

    expect((await wholeOf(storage, verificationId(1)))?.record).toMatchObject({
      status: 'approved',
      notify: NOTIFY,
    });
    expect((await wholeOf(storage, verificationId(2)))?.record).toMatchObject({ currentStep: 1, notify: null });
  },

  'erase: deletes the mails of the verification, and no other': async (storage) => {
    const begun = await givenBegun(storage, 1);
    const others = [aMail(2), aMail(3, { clientId: clientId(2) }), aUserMail(4, { targetId: verificationId(1) })];
    await storage.mails.add([aMail(1), ...others, aMail(5, { verificationId: verificationId(1) })]);
    await leaseMails(storage, { limit: 1 });

    expect((await storage.retention.erase(erasureOf(begun))).outcome).toBe('erased');

    expect(await storage.mails.settle(heldBy(1), { state: 'done', next: aUserMail(6) })).toEqual({
      outcome: 'lease_lost',
    });
    expect(await allMails(storage)).toEqual(others);
  },

  'erase: keeps the mails if it changes nothing': async (storage) => {
    const begun = await givenBegun(storage, 1);
    await storage.mails.add([aMail(1)]);

    const { outcome } = await storage.retention.erase(erasureOf(begun, { expectedVersion: begun.version + 1 }));

    expect(outcome).toBe('conflict');
    expect(await allMails(storage)).toEqual([aMail(1)]);
  },

  'settle: stores the next mail of a verification, but not once its erasure has begun': async (storage) => {
    await givenPersonal(storage, 1);
    await givenPersonal(storage, 2);
    await storage.mails.add([aMail(1), aMail(2)]);
    await leaseMails(storage);
    await givenFacts(storage, 2, { erasedAt: ERASED_AT, retentionCheckAt: ERASED_AT });
    const next = (n: number) =>
      aMail(n + 10, { kind: 'verification.reminder', verificationId: verificationId(n) });

    for (const n of [1, 2])
      expect(await storage.mails.settle(heldBy(n), { state: 'done', next: next(n) })).toEqual({
        outcome: 'settled',
      });

    expect(await allMails(storage)).toEqual([next(1)]);
  },
});
