import { NO_RETENTION_FACTS } from '@countersign/domain/retention';
import { type RetainedVerification, type Storage, withoutDocuments } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, expectRejected, range, tally } from '../../records/at-once.ts';
import { givenClient } from '../../records/clients.ts';
import { eventOf } from '../../records/events.ts';
import { clientId, minute, verificationId } from '../../records/ids.ts';
import { expectUnchanged, pictureOf } from '../../records/picture.ts';
import { moved } from '../../records/records.ts';
import {
  change,
  changed,
  erasureOf,
  givenBegun,
  givenFacts,
  givenPersonal,
  NO_IDS,
  place,
  retained,
} from '../../records/retention.ts';
import { commit, givenVerification, wholeOf } from '../../records/verifications.ts';
import { type Suite, suiteGiven } from '../../suite.ts';

async function givenTwoClients(storage: Storage): Promise<void> {
  await givenClient(storage);
  await givenClient(storage, 2);
}

/** Stores verifications with a moment each, and expects to read those up to a moment, the earliest first. */
async function expectEarliestFirst(
  storage: Storage,
  factsAt: (at: Date) => Partial<RetainedVerification>,
  read: (until: Date, limit: number) => Promise<readonly RetainedVerification[]>,
): Promise<void> {
  const moments = [
    [5, 1, minute(30)],
    [4, 1, minute(20)],
    [3, 2, minute(30)],
    [2, 2, minute(31)],
    [1, 1, minute(30, 1)],
  ] as const;
  for (const [n, owner, at] of moments) {
    const stored = await storage.retention.find(place(n, owner));
    if (stored === null) await givenPersonal(storage, n, { clientId: clientId(owner) });
    await givenFacts(storage, n, factsAt(at), owner);
  }
  const idsOf = async (until: Date, limit: number) => (await read(until, limit)).map(({ id }) => id);

  expect(await idsOf(minute(30), 10)).toEqual([4, 3, 5].map(verificationId));
  expect(await idsOf(minute(99), 10)).toEqual([4, 3, 5, 1, 2].map(verificationId));
  expect(await idsOf(minute(99), 2)).toEqual([4, 3].map(verificationId));
  expect(await idsOf(minute(19), 10)).toEqual([]);
  expect(await read(minute(20), 1)).toEqual([await retained(storage, 4)]);
}

/** Verifications as retention reads them: one, what is left of it, and those that are due. */
export const retainedVerificationsSuite: Suite = suiteGiven('retained verifications', givenTwoClients, {
  'find: returns every column except for documents and the data key': async (storage) => {
    const record = await givenPersonal(storage, 1);
    const facts = { ...NO_RETENTION_FACTS, relationshipEndedAt: minute(1, 1), retentionCheckAt: minute(2, 2) };
    const held = {
      heldAt: minute(3, 3),
      heldBy: 'owner 7',
      heldUntil: minute(4, 4),
      erasureRequestedAt: minute(5, 5),
    };
    await givenFacts(storage, 1, { ...facts, ...held });

    expect(await retained(storage, 1)).toEqual({
      ...withoutDocuments(record),
      ...facts,
      ...held,
      version: record.version + 1,
      eventCount: record.eventCount + 1,
      decidedBy: 'verification.approved',
    });
  },

  'find: returns the type of the event that decided it, also when others follow': async (storage) => {
    const types = [
      ['approved', 'verification.approved'],
      ['rejected', 'verification.rejected'],
      ['rejected', 'verification.withdrawn'],
      ['rejected', 'verification.expired'],
    ] as const;
    for (const [index, [status, type]] of types.entries()) {
      const n = index + 1;
      const decided = moved(await givenVerification(storage, n), status);
      await commit(storage, decided, { events: [eventOf(decided, { type })] });
      expect((await retained(storage, n)).decidedBy).toBe(type);
      await givenFacts(storage, n, { heldAt: minute(3) });
      expect((await retained(storage, n)).decidedBy).toBe(type);
    }
  },

  'find: an open verification has no event that decided it': async (storage) => {
    for (const [index, status] of (['pending', 'submitted', 'action_needed'] as const).entries()) {
      await givenVerification(storage, index + 1, { status });
      expect((await retained(storage, index + 1)).decidedBy).toBeNull();
    }
  },

  'find, storedTraces: another client, an unknown id, and a text that cannot be an id find nothing': async (
    storage,
  ) => {
    await givenPersonal(storage, 1);
    const { retention } = storage;
    const places = [place(1, 2), ...NO_IDS.map((id) => ({ clientId: clientId(1), verificationId: id }))];
    for (const each of [...places, ...NO_IDS.map((id) => ({ ...place(1), clientId: id }))]) {
      expect(await retention.find(each), JSON.stringify(each)).toBeNull();
      expect(await retention.storedTraces(each), JSON.stringify(each)).toBeNull();
    }
  },

  'storedTraces: returns the verification and all events by version, without data': async (storage) => {
    const record = await givenPersonal(storage, 1);
    await givenPersonal(storage, 2);
    await givenFacts(storage, 1, { heldAt: minute(3) });
    const whole = await wholeOf(storage, record.id);

    const traces = await storage.retention.storedTraces(place(1));

    expect(traces?.verification).toEqual(await retained(storage, 1));
    expect(traces?.events).toEqual(whole?.events.map((event) => ({ ...event, data: {} })));
    expect(traces?.events.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    expect(whole?.events.map(({ data }) => data)).toContainEqual({ type: 'kyc' });
  },

  'due: returns what is due, the earliest first, ties by id, of all clients, up to the limit': async (storage) => {
    await givenPersonal(storage, 6);
    await givenFacts(storage, 6, { retentionCheckAt: minute(200) });
    await expectEarliestFirst(
      storage,
      (retentionCheckAt) => ({ retentionCheckAt }),
      (now, limit) => storage.retention.due({ now, limit }),
    );
  },
});

/** Replaced uploads that the job looks at. */
export const uploadsDueSuite: Suite = suiteGiven('replaced uploads', givenTwoClients, {
  'uploadsDue: returns open and decided ones, the earliest first, ties by id, of all clients, up to the limit':
    async (storage) => {
      await givenPersonal(storage, 6);
      await givenFacts(storage, 6, { retentionCheckAt: minute(10) });
      await givenVerification(storage, 4);
      await expectEarliestFirst(
        storage,
        (uploadsCheckAt) => ({ uploadsCheckAt }),
        (now, limit) => storage.retention.uploadsDue({ now, limit }),
      );
    },

  'schedule: sets and removes the moment of replaced uploads alone': async (storage) => {
    await givenPersonal(storage, 1);
    const expected = await givenFacts(storage, 1, { retentionCheckAt: minute(9), uploadsCheckAt: minute(30) });
    const { retentionCheckAt: checkAt } = expected;
    const { retention } = storage;

    for (const uploadsCheckAt of [minute(40, 4), null]) {
      const change = { place: place(1), expected, checkAt, uploadsCheckAt };
      expect(await retention.schedule(change)).toEqual({ outcome: 'scheduled' });
      expect(await retained(storage, 1)).toEqual({ ...expected, uploadsCheckAt });
    }
  },

  'schedule: keeps the moment of replaced uploads where none is given': async (storage) => {
    await givenPersonal(storage, 1);
    const expected = await givenFacts(storage, 1, { retentionCheckAt: minute(9), uploadsCheckAt: minute(30) });

    await storage.retention.schedule({ place: place(1), expected, checkAt: minute(10) });

    expect(await retained(storage, 1)).toEqual({ ...expected, retentionCheckAt: minute(10) });
  },
});

/** Erasures that began and have not finished. */
export const unfinishedErasuresSuite: Suite = suiteGiven('unfinished erasures', givenTwoClients, {
  'unfinished: returns what began and has not finished, the earliest first, ties by id, of all clients, up to the limit':
    async (storage) => {
      await givenPersonal(storage, 6);
      await givenFacts(storage, 6, { retentionCheckAt: minute(10) });
      await expectEarliestFirst(
        storage,
        (erasedAt) => ({ erasedAt, retentionCheckAt: minute(90) }),
        (begunBefore, limit) => storage.retention.unfinished({ begunBefore, limit }),
      );
    },

  'unfinished: returns an erasure until it is finished, also after its data was removed': async (storage) => {
    const begun = await givenBegun(storage, 1);
    const { retention } = storage;
    const idsOf = async () =>
      (await retention.unfinished({ begunBefore: minute(999), limit: 10 })).map(({ id }) => id);

    expect(await idsOf()).toEqual([begun.id]);
    const erased = await retention.erase(erasureOf(begun));
    expect(await idsOf()).toEqual([begun.id]);
    if (erased.outcome !== 'erased') throw new Error('set-up of the case: retention.erase');
    await retention.finish({ clientId: begun.clientId, number: erased.number }, minute(998));
    expect(await idsOf()).toEqual([]);
  },
});

const CHECK = { retentionCheckAt: minute(30, 3) };

async function givenChecked(storage: Storage): Promise<RetainedVerification> {
  await givenTwoClients(storage);
  await givenPersonal(storage, 2);
  await givenPersonal(storage, 1);
  return givenFacts(storage, 1, CHECK);
}

/** When the job looks at a verification next. */
export const schedulesSuite: Suite = suiteGiven('schedules of retention', givenChecked, {
  'schedule: sets and removes the moment, and keeps the version and everything else': async (
    storage,
    expected,
  ) => {
    const before = await pictureOf(storage);
    const shown = async () => (await pictureOf(storage))[0]?.verifications;
    const withCheck = (retentionCheckAt: Date | null) =>
      before[0]?.verifications.map((each) => (each?.id === expected.id ? { ...each, retentionCheckAt } : each));
    const { retention } = storage;

    const first = { place: place(1), expected, checkAt: minute(40, 4) };
    expect(await retention.schedule(first)).toEqual({ outcome: 'scheduled' });
    expect(await shown()).toEqual(withCheck(minute(40, 4)));
    const scheduled = await retained(storage, 1);
    expect(scheduled).toEqual({ ...expected, retentionCheckAt: minute(40, 4) });
    expect(await retention.schedule({ place: place(1), expected: scheduled, checkAt: null })).toEqual({
      outcome: 'scheduled',
    });
    expect(await shown()).toEqual(withCheck(null));
    const unscheduled = await retained(storage, 1);
    expect(await retention.schedule({ place: place(1), expected: unscheduled, checkAt: minute(1) })).toEqual({
      outcome: 'scheduled',
    });
  },

  'schedule: is a conflict and changes nothing if another version or moment is stored': async (
    storage,
    { version },
  ) => {
    const { retentionCheckAt } = CHECK;
    const uploadsCheckAt = minute(33);
    await expectUnchanged(storage, async () => {
      for (const expected of [
        { version: version - 1, retentionCheckAt, uploadsCheckAt },
        { version: version + 1, retentionCheckAt, uploadsCheckAt },
        { version, retentionCheckAt: minute(30, 4), uploadsCheckAt },
        { version, retentionCheckAt: null, uploadsCheckAt },
      ]) {
        const outcome = await storage.retention.schedule({ place: place(1), expected, checkAt: minute(50) });
        expect(outcome).toEqual({ outcome: 'conflict' });
      }
    });
  },

  'schedule: another client, an unknown id, and a text that cannot be an id are a conflict': async (
    storage,
    expected,
  ) => {
    await expectUnchanged(storage, async () => {
      for (const each of [place(1, 2), ...NO_IDS.map((verificationId) => ({ ...place(1), verificationId }))]) {
        const outcome = await storage.retention.schedule({ place: each, expected, checkAt: minute(50) });
        expect(outcome, JSON.stringify(each)).toEqual({ outcome: 'conflict' });
      }
    });
  },

  'schedule: refuses an open verification': async (storage) => {
    await givenVerification(storage, 3);
    const expected = await retained(storage, 3);

    await expectUnchanged(storage, async () => {
      const request = { place: place(3), expected, checkAt: minute(50) };
      await expectRejected(storage.retention.schedule(request), 'schedule of an open verification');
    });
  },

  'schedule: of twenty at once, one succeeds': async (storage, expected) => {
    const outcomes = await atOnce(20, (n) =>
      storage.retention.schedule({ place: place(1), expected, checkAt: minute(100 + n) }),
    );

    expect(tally(outcomes)).toEqual({ scheduled: 1, conflict: 19 });
    const winner = outcomes.findIndex(({ outcome }) => outcome === 'scheduled');
    expect((await retained(storage, 1)).retentionCheckAt).toEqual(minute(100 + winner));
  },

  'schedule: loses against a change that came first': async (storage, expected) => {
    const held = changed(expected, { heldAt: minute(60), retentionCheckAt: null });
    await change(storage, held, 'verification.held');

    const outcome = await storage.retention.schedule({ place: place(1), expected, checkAt: minute(50) });

    expect(outcome).toEqual({ outcome: 'conflict' });
    expect(await retained(storage, 1)).toEqual(held);
  },
});

/** A client whose decided verifications 2, 4 and 6 are planned; 1 is open, 3 is being erased, 5 has an earlier check. */
async function givenToRecheck(storage: Storage): Promise<void> {
  await givenTwoClients(storage);
  await givenVerification(storage, 1);
  for (const n of range(2, 6))
    await givenVerification(storage, n, { status: n % 2 === 0 ? 'approved' : 'rejected' });
  await givenVerification(storage, 7, { status: 'approved', clientId: clientId(2) });
  await givenFacts(storage, 3, { erasedAt: minute(60), retentionCheckAt: minute(900) });
  await givenFacts(storage, 4, { retentionCheckAt: minute(900) });
  await givenFacts(storage, 5, { retentionCheckAt: minute(10) });
}

const AT = minute(500, 5);
const EXPECTED_CHECKS = [null, AT, minute(900), AT, minute(10), AT];

/** Replanning the verifications of a client. */
export const recheckSuite: Suite = suiteGiven('rechecks', givenToRecheck, {
  'recheck: sets the moment of decided verifications, and keeps earlier ones': async (storage) => {
    const versions = await Promise.all(range(1, 6).map(async (n) => (await retained(storage, n)).version));

    await storage.retention.recheck({ clientId: clientId(1), after: null, limit: 100, at: AT });

    const found = await Promise.all(range(1, 6).map((n) => retained(storage, n)));
    expect(found.map(({ retentionCheckAt }) => retentionCheckAt)).toEqual(EXPECTED_CHECKS);
    expect(found.map(({ version }) => version)).toEqual(versions);
  },

  'recheck: leaves the verifications of other clients': async (storage) => {
    const before = await retained(storage, 7, 2);

    await storage.retention.recheck({ clientId: clientId(1), after: null, limit: 100, at: AT });
    for (const id of NO_IDS)
      expect(await storage.retention.recheck({ clientId: id, after: null, limit: 100, at: AT })).toEqual({
        last: null,
      });

    expect(await retained(storage, 7, 2)).toEqual(before);
  },

  'recheck: goes on after the last verification, up to the limit, until none is left': async (storage) => {
    let after: string | null = null;
    let checks = 0;
    for (let calls = 0; calls < 10; calls += 1) {
      const { last }: { last: string | null } = await storage.retention.recheck({
        clientId: clientId(1),
        after,
        limit: 2,
        at: AT,
      });
      const found = await Promise.all(range(1, 6).map((n) => retained(storage, n)));
      const now = found.filter(({ retentionCheckAt }) => retentionCheckAt?.getTime() === AT.getTime()).length;
      expect(now - checks).toBeLessThanOrEqual(2);
      checks = now;
      if (last === null) break;
      expect(after === null || last > after).toBe(true);
      after = last;
    }

    const found = await Promise.all(range(1, 6).map((n) => retained(storage, n)));
    expect(found.map(({ retentionCheckAt }) => retentionCheckAt)).toEqual(EXPECTED_CHECKS);
    expect(after).toBe(verificationId(6));
  },

  'recheck: starts after the given verification': async (storage) => {
    const { last } = await storage.retention.recheck({
      clientId: clientId(1),
      after: verificationId(2),
      limit: 100,
      at: AT,
    });

    expect(last).toBe(verificationId(6));
    expect((await retained(storage, 2)).retentionCheckAt).toBeNull();
    expect((await retained(storage, 4)).retentionCheckAt).toEqual(AT);
  },
});
