import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { givenClient } from '../../records/clients.ts';
import { expectCount } from '../../records/count.ts';
import { clientId, mailId, minute, verificationId } from '../../records/ids.ts';
import { allMails, aMail, aUserMail, DONE, heldBy, leaseMails } from '../../records/mails.ts';
import { aRecord, keyedBy, moved } from '../../records/records.ts';
import { ERASED_AT, erasureOf, givenBegun, givenFacts, givenPersonal } from '../../records/retention.ts';
import { commit, createCharged, givenVerification, wholeOf } from '../../records/verifications.ts';
import { type Suite, suiteGiven } from '../../suite.ts';

const NOTIFY = { email: 'ada.lovelace@example.org' };

/** Creates the `n`th verification with its mail, and returns the record. */
async function givenCreationWithMail(storage: Storage, n: number): Promise<VerificationRecord> {
  const record = aRecord(n, { notify: NOTIFY });
  const { outcome } = await createCharged(storage, record, { mails: [aMail(n)] });
  expect(outcome, 'set-up of the case: verifications.createCharged').toBe('created');
  return record;
}

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

    expectCount(
      outcomes.filter(({ outcome }) => outcome === 'created'),
      30,
    );
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

  'lease: mails of creations come in one order with the others': async (storage) => {
    for (const n of [4, 3, 1]) await givenCreationWithMail(storage, n);
    await storage.mails.add([aMail(2)]);
    const now = minute(3, 7);

    expect(await leaseMails(storage, { n: 1, now, limit: 2 })).toEqual([aMail(1), aMail(2)]);
    expect(await leaseMails(storage, { n: 2, now })).toEqual([aMail(3)]);
    expect(await leaseMails(storage, { n: 3, now })).toEqual([]);

    expect(await storage.mails.settle(heldBy(3, 2), DONE)).toEqual({ outcome: 'settled' });
    const left = (await allMails(storage)).map(({ id }) => id);
    expect(left).toEqual([1, 2, 4].map(mailId));
  },

  'backlog: counts mails of creations': async (storage) => {
    for (const n of [1, 3, 4]) await givenCreationWithMail(storage, n);
    await storage.mails.add([aMail(2)]);

    const until = (n: number, limit: number) => storage.mails.backlog({ now: minute(n, 7), limit });
    expect(await until(0, 10)).toEqual({ waiting: 0, oldestAt: null });
    expect(await until(1, 10)).toEqual({ waiting: 1, oldestAt: minute(1, 7) });
    expect(await until(3, 10)).toEqual({ waiting: 3, oldestAt: minute(1, 7) });
    expect(await until(4, 2)).toEqual({ waiting: 2, oldestAt: minute(1, 7) });
  },

  'commit: leaves the mail of the creation': async (storage) => {
    const record = await givenCreationWithMail(storage, 1);
    const stepped = moved(record, 'pending', { currentStep: 1 });
    expect(await commit(storage, stepped)).toEqual({ outcome: 'committed' });
    const submitted = moved(stepped, 'submitted');
    expect(await commit(storage, submitted, { mails: [aMail(2)] })).toEqual({ outcome: 'committed' });

    expect(await allMails(storage)).toEqual([aMail(1), aMail(2)]);
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

  'erase: deletes the mail of the creation': async (storage) => {
    for (const n of [1, 2]) {
      const submitted = moved(await givenCreationWithMail(storage, n), 'submitted');
      await commit(storage, submitted);
      await commit(storage, moved(submitted, 'approved'));
    }
    const begun = await givenFacts(storage, 1, { erasedAt: ERASED_AT, retentionCheckAt: ERASED_AT });

    expect((await storage.retention.erase(erasureOf(begun))).outcome).toBe('erased');

    expect(await allMails(storage)).toEqual([aMail(2)]);
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
