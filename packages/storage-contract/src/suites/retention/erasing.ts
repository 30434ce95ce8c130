import type { RetainedVerification, Storage, VerificationRecord } from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../../records/at-once.ts';
import { givenClient } from '../../records/clients.ts';
import { expectCount } from '../../records/count.ts';
import { aDataKey, replace } from '../../records/data-keys.ts';
import { eventOf } from '../../records/events.ts';
import { clientId, eventIdOf, MARCH, minute, verificationId } from '../../records/ids.ts';
import { expectUnchanged } from '../../records/picture.ts';
import { aQuery } from '../../records/queries.ts';
import { aRecord, keyedBy } from '../../records/records.ts';
import {
  aReceipt,
  change,
  changed,
  ERASED_AT,
  erasureOf,
  givenBegun,
  givenPersonal,
  NO_IDS,
  receipts,
  retained,
} from '../../records/retention.ts';
import { commit, createCharged, wholeOf } from '../../records/verifications.ts';
import { anAttempt, fanOut, givenEndpoint, leaseEndpoints, logOf, settle } from '../../records/webhooks.ts';
import { type Suite, suiteGiven } from '../../suite.ts';

async function givenFirstBegun(storage: Storage): Promise<RetainedVerification> {
  await givenClient(storage);
  await givenClient(storage, 2);
  await givenPersonal(storage, 2);
  await givenPersonal(storage, 3, { clientId: clientId(2) });
  return givenBegun(storage, 1);
}

const stored = async ({ verifications }: Storage): Promise<VerificationRecord> => {
  const record = await verifications.find(clientId(1), verificationId(1));
  if (record === null) throw new Error('The storage has no verification 1');
  return record;
};

/** What a verification becomes by its erasure. Written out, because adapters may use the domain's `erasedRecord`. */
const erasedRecord = (record: VerificationRecord, number: number): VerificationRecord => ({
  ...record,
  subjectReference: `erased:${record.id}`,
  metadata: {},
  answers: {},
  reviewData: {},
  idempotencyKey: null,
  idempotencyFingerprint: null,
  dataKey: null,
  sandboxOutcome: null,
  returnUrl: null,
  locale: null,
  notify: null,
  warnings: null,
  severity: null,
  linkExpiresAt: ERASED_AT,
  erasureNumber: number,
  uploadsCheckAt: null,
  version: record.version + 1,
  eventCount: record.eventCount + 1,
});

/** The removal of a verification’s data. */
export const erasureSuite: Suite = suiteGiven('erasure', givenFirstBegun, {
  'erase: empties the row and the data of all events, and appends the event': async (storage, begun) => {
    const whole = await wholeOf(storage, begun.id);
    const erasure = erasureOf(begun);

    expect(await storage.retention.erase(erasure)).toEqual({ outcome: 'erased', number: 1 });

    expect(await wholeOf(storage, begun.id)).toEqual({
      record: erasedRecord(whole?.record as VerificationRecord, 1),
      events: [...(whole?.events ?? []).map((event) => ({ ...event, data: {} })), erasure.event],
    });
  },

  'erase: keeps the data that its event has': async (storage, begun) => {
    const { event, ...erasure } = erasureOf(begun);
    const withData = { ...event, data: { rule: 'requested' } };

    await storage.retention.erase({ ...erasure, event: withData });

    expect((await wholeOf(storage, begun.id))?.events.at(-1)).toEqual(withData);
  },

  'erase: destroys the data key, and no other takes its place': async (storage, begun) => {
    const before = await storage.dataKeys.find(clientId(1), begun.id);
    expect(before).not.toBeNull();

    await storage.retention.erase(erasureOf(begun));

    for (const expected of [null, before]) {
      expect(await replace(storage, 1, aDataKey(9), { expected })).toEqual({ outcome: 'conflict' });
    }
    expect(await storage.dataKeys.find(clientId(1), begun.id)).toBeNull();
  },

  'erase: keeps the end of a link that ended before': async (storage) => {
    const linkExpiresAt = minute(5);
    const begun = await givenBegun(storage, 4, { linkExpiresAt });

    await storage.retention.erase(erasureOf(begun));

    expect((await retained(storage, 4)).linkExpiresAt).toEqual(linkExpiresAt);
  },

  'erase: writes the receipt, which is not finished': async (storage, begun) => {
    const { erasure } = erasureOf(begun, { number: 12, rule: 'approved_longest', steps: 5, files: 0, events: 99 });

    await storage.retention.erase({ ...erasureOf(begun), erasure });

    const receipt = { ...erasure, number: 12, finishedAt: null };
    expect(await storage.retention.erasure(12)).toEqual(receipt);
    expect(await receipts(storage)).toEqual([receipt]);
  },

  'erase: empties the attempts of its webhooks, and keeps the deliveries': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    const begun = await givenBegun(storage, 5);
    await fanOut(storage);
    await leaseEndpoints(storage);
    const [own, other] = [eventOf(aRecord(5)), eventOf(aRecord(2))];
    await settle(storage, endpoint, own, {
      attempt: anAttempt(1, { fault: 'timeout' }),
      settlement: { state: 'failed' },
    });
    await settle(storage, endpoint, other, { attempt: anAttempt(2) });
    const log = await logOf(storage, endpoint);

    await storage.retention.erase(erasureOf(begun));

    expect(await logOf(storage, endpoint)).toEqual(log);
    expect(
      log.filter(({ verificationId, state }) => verificationId === begun.id && state === 'waiting'),
    ).not.toEqual([]);
    const attemptsOf = (id: string) => storage.webhooks.attempts(clientId(1), endpoint.id, id);
    const emptied = { ...anAttempt(1), request: '', response: null, fault: null };
    expect(await attemptsOf(own.id)).toEqual([emptied]);
    expect(await attemptsOf(other.id)).toEqual([anAttempt(2)]);
  },

  'settle: an attempt is stored without texts once the erasure has begun': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    const begun = await givenBegun(storage, 5);
    await fanOut(storage);
    await leaseEndpoints(storage);
    const [own, other] = [eventOf(aRecord(5)), eventOf(aRecord(2))];
    const responded = anAttempt(1);
    const unanswered = anAttempt(2, { status: null, response: null, fault: 'timeout' });
    const settlement = { state: 'waiting', dueAt: minute(6_000) } as const;

    await settle(storage, endpoint, own, { attempt: responded, settlement });
    await storage.retention.erase(erasureOf(begun));
    await settle(storage, endpoint, own, { attempt: unanswered });
    await settle(storage, endpoint, other, { attempt: anAttempt(3) });

    const attemptsOf = (id: string) => storage.webhooks.attempts(clientId(1), endpoint.id, id);
    const withoutTexts = { request: '', response: null, fault: null };
    expect(await attemptsOf(own.id)).toEqual(
      [responded, unanswered].map((each) => ({ ...each, ...withoutTexts })),
    );
    expect(await attemptsOf(other.id)).toEqual([anAttempt(3)]);
    const entry = (await logOf(storage, endpoint)).find(({ eventId }) => eventId === own.id);
    expect([entry?.state, entry?.attempts]).toEqual(['delivered', 2]);
  },

  'settle: an attempt is stored without texts before the data is removed': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    await givenBegun(storage, 5);
    await fanOut(storage);
    await leaseEndpoints(storage);
    const own = eventOf(aRecord(5));

    await settle(storage, endpoint, own);

    const emptied = { ...anAttempt(), request: '', response: null, fault: null };
    expect(await storage.webhooks.attempts(clientId(1), endpoint.id, own.id)).toEqual([emptied]);
  },

  'erase: events that were not fanned out before still are': async (storage, begun) => {
    const endpoint = await givenEndpoint(storage);

    await storage.retention.erase(erasureOf(begun));
    await fanOut(storage);

    const own = (await logOf(storage, endpoint)).filter(({ verificationId }) => verificationId === begun.id);
    const events = (await wholeOf(storage, begun.id))?.events.filter(isSent);
    expect(own.map(({ eventId }) => eventId).toSorted()).toEqual(events?.map(({ id }) => id).toSorted());
    expect(own).not.toEqual([]);
  },

  'erase: leaves other verifications, their data keys, and what clients have used': async (storage, begun) => {
    const others = async () => [
      await wholeOf(storage, verificationId(2)),
      await wholeOf(storage, verificationId(3)),
      await storage.dataKeys.find(clientId(1), verificationId(2)),
      await storage.clients.usedIn(clientId(1), MARCH),
      await storage.verifications.countByStatus(),
      await storage.verifications.counts(clientId(1)),
    ];
    const before = await others();

    await storage.retention.erase(erasureOf(begun));

    expect(await others()).toEqual(before);
  },

  'erase: keeps its place in lists and its history': async (storage, begun) => {
    const history = async () => (await storage.verifications.findWithHistory(clientId(1), begun.id))?.events;
    const before = await history();

    await storage.retention.erase(erasureOf(begun));

    const list = (subjectReference?: string) =>
      storage.verifications.list(clientId(1), aQuery({ status: 'approved', subjectReference }));
    expect((await list()).records.map(({ id }) => id)).toEqual([1, 2].map(verificationId));
    expect((await list(`erased:${begun.id}`)).records.map(({ id }) => id)).toEqual([begun.id]);
    expect((await list(begun.subjectReference)).records).toEqual([]);
    expect(await history()).toEqual(before?.map((event) => ({ ...event, data: {} })));
  },

  'erase: its Idempotency-Key can be used again': async (storage, begun) => {
    await storage.retention.erase(erasureOf(begun));

    const { subjectReference, idempotencyKey } = begun;
    const record = aRecord(9, { subjectReference, ...keyedBy(idempotencyKey ?? '') });
    expect(await createCharged(storage, record)).toEqual({ outcome: 'created' });
  },

  'erase: is a conflict and changes nothing at another version': async (storage, begun) => {
    await expectUnchanged(storage, async () => {
      for (const expectedVersion of [begun.version - 1, begun.version + 1, 0]) {
        expect(await storage.retention.erase(erasureOf(begun, { expectedVersion }))).toEqual({
          outcome: 'conflict',
        });
      }
    });
    expect(await receipts(storage)).toEqual([]);
  },

  'erase: is a conflict and changes nothing if the erasure has not begun': async (storage) => {
    const verification = await retained(storage, 2);

    await expectUnchanged(storage, async () => {
      expect(await storage.retention.erase(erasureOf(verification))).toEqual({ outcome: 'conflict' });
    });
    expect(await receipts(storage)).toEqual([]);
  },

  'erase: is a conflict and changes nothing if the data is removed already': async (storage, begun) => {
    await storage.retention.erase(erasureOf(begun));
    const erased = await retained(storage, 1);

    await expectUnchanged(storage, async () => {
      for (const number of [null, 1, 2])
        expect(await storage.retention.erase(erasureOf(erased, { number }))).toEqual({ outcome: 'conflict' });
    });
    expectCount(await receipts(storage), 1);
  },

  'erase: another client, an unknown id, and a text that cannot be an id are a conflict': async (
    storage,
    begun,
  ) => {
    await expectUnchanged(storage, async () => {
      const foreign = { ...begun, clientId: clientId(2) };
      for (const verification of [foreign, ...NO_IDS.map((id) => ({ ...begun, id }))])
        expect(await storage.retention.erase(erasureOf(verification)), verification.id).toEqual({
          outcome: 'conflict',
        });
    });
    expect(await receipts(storage)).toEqual([]);
  },

  'erase: changes nothing if another verification has the number': async (storage, begun) => {
    const receipt = aReceipt(7, { clientId: clientId(2), verificationId: verificationId(3) });
    await storage.retention.recordErasure(receipt);

    await expectUnchanged(storage, async () => {
      expect(await storage.retention.erase(erasureOf(begun, { number: 7 }))).toEqual({ outcome: 'number_taken' });
    });
    expect(await receipts(storage)).toEqual([receipt]);
  },

  'erase: without a number takes the one after the highest': async (storage, begun) => {
    const second = await givenBegun(storage, 4);
    await storage.retention.recordErasure(aReceipt(41, { clientId: clientId(2) }));

    expect(await storage.retention.erase(erasureOf(begun))).toEqual({ outcome: 'erased', number: 42 });
    expect(await storage.retention.erase(erasureOf(second))).toEqual({ outcome: 'erased', number: 43 });
    expect((await retained(storage, 4)).erasureNumber).toBe(43);
  },
});

/** Erasures at once with others and with changes. */
export const erasureAtOnceSuite: Suite = suiteGiven('concurrent erasure', givenFirstBegun, {
  'erase: of ten of one verification at once, one succeeds': async (storage, begun) => {
    const outcomes = await atOnce(10, () => storage.retention.erase(erasureOf(begun)));

    expect(tally(outcomes)).toEqual({ erased: 1, conflict: 9 });
    expectCount(await receipts(storage), 1);
    expectCount((await wholeOf(storage, begun.id))?.events, begun.eventCount + 1);
  },

  'erase: of many verifications at once, each gets a number of its own, without gaps': async (storage, begun) => {
    const all = [begun];
    for (const n of range(4, 12)) all.push(await givenBegun(storage, n));

    const outcomes = await Promise.all(all.map((each) => storage.retention.erase(erasureOf(each))));

    expect(tally(outcomes)).toEqual({ erased: 10 });
    const numbers = outcomes.map((each) => (each.outcome === 'erased' ? each.number : 0));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(range(1, 10));
    expect((await receipts(storage)).map(({ verificationId }) => verificationId).toSorted()).toEqual(
      all.map(({ id }) => id).toSorted(),
    );
  },

  'erase: of many verifications with one number, one is erased and the others stay whole': async (
    storage,
    begun,
  ) => {
    const all = [begun];
    for (const n of range(4, 8)) all.push(await givenBegun(storage, n));
    const before = await Promise.all(all.map(({ id }) => wholeOf(storage, id)));

    const outcomes = await Promise.all(all.map((each) => storage.retention.erase(erasureOf(each, { number: 5 }))));

    expect(tally(outcomes)).toEqual({ erased: 1, number_taken: 5 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'erased');
    for (const [index, { id }] of all.entries())
      if (index !== winner) expect(await wholeOf(storage, id)).toEqual(before[index]);
    expect((await receipts(storage)).map(({ verificationId }) => verificationId)).toEqual([all[winner]?.id]);
  },

  'settle: attempts that are stored while the erasure begins and ends are left without texts': async (storage) => {
    const endpoint = await givenEndpoint(storage);
    await fanOut(storage);
    await leaseEndpoints(storage);
    const open = await retained(storage, 2);
    const begun = changed(open, { erasedAt: ERASED_AT, retentionCheckAt: ERASED_AT });
    const own = eventOf(aRecord(2));
    const settlement = { state: 'waiting', dueAt: minute(6_000) } as const;

    const settling = range(1, 8).map((n) => settle(storage, endpoint, own, { attempt: anAttempt(n), settlement }));
    await change(storage, begun);
    const late = range(9, 16).map((n) => settle(storage, endpoint, own, { attempt: anAttempt(n), settlement }));
    await storage.retention.erase(erasureOf(begun));
    await Promise.all([...settling, ...late]);

    const attempts = await storage.webhooks.attempts(clientId(1), endpoint.id, own.id);
    expect(attempts).toEqual(
      range(1, 16).map((n) => ({ ...anAttempt(n), request: '', response: null, fault: null })),
    );
  },

  'erase: beside a change and a commit of the same version, one succeeds': async (storage, begun) => {
    const record = await stored(storage);
    const rescheduled = changed(begun, { retentionCheckAt: minute(900) });
    const committed = { ...record, version: begun.version + 1, eventCount: begun.eventCount + 1, locale: 'en' };

    const outcomes = await Promise.all([
      change(storage, rescheduled, 'verification.erasure_requested'),
      storage.retention.erase(erasureOf(begun)),
      commit(storage, committed),
    ]);

    expectCount(
      outcomes.filter(({ outcome }) => outcome === 'conflict'),
      2,
    );
    const isErased = outcomes[1].outcome === 'erased';
    expectCount(await receipts(storage), isErased ? 1 : 0);
    const after = await stored(storage);
    if (isErased) expect(after).toEqual(erasedRecord(record, 1));
    else expect(after.metadata).toEqual(record.metadata);
    expectCount((await wholeOf(storage, begun.id))?.events, begun.eventCount + 1);
  },

  'commit: of a version before the erasure is a conflict and brings nothing back': async (storage, begun) => {
    const before = await stored(storage);
    await storage.retention.erase(erasureOf(begun));

    const next = { ...before, version: before.version + 1, eventCount: before.eventCount + 1 };
    const events = [eventOf(next, { id: eventIdOf({ ...next, version: 99 }) })];
    expect(await commit(storage, next, { events })).toEqual({ outcome: 'conflict' });
    expect(await change(storage, changed(begun, { heldAt: null }))).toEqual({ outcome: 'conflict' });

    expect(await stored(storage)).toEqual(erasedRecord(before, 1));
  },

  'erase: reads meanwhile return all of the data or none': async (storage, begun) => {
    const before = await wholeOf(storage, begun.id);
    const erasure = erasureOf(begun);
    const reads: Promise<unknown>[] = [];
    for (const _ of range(1, 10)) reads.push(wholeOf(storage, begun.id));
    const erasing = storage.retention.erase(erasure);
    for (const _ of range(1, 10)) reads.push(wholeOf(storage, begun.id));
    await erasing;

    const after = await wholeOf(storage, begun.id);
    expect(after?.record.answers).toEqual({});
    for (const read of await Promise.all(reads)) expect([before, after]).toContainEqual(read);
  },
});
