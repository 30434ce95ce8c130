import { STATUSES, type Status } from '@countersign/domain';
import type { Storage, VerificationRecord, VerificationWithEvents } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { aQuery, expectEveryRead, expectPagesOfOneMoment } from '../records/queries.ts';
import { aRecord, keyedBy, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification, wholeOf } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Reads of one verification. Each read sees a single moment. */
export const readsSuite: Suite = suiteGiven('reads', givenClient, {
  'read: every read operation returns the same record, in any state': async (storage) => {
    for (const [index, status] of STATUSES.entries()) {
      const record = await givenVerification(storage, index + 1, {
        status,
        type: 'kyb',
        metadata: { status },
        sandboxOutcome: status === 'pending' || status === 'submitted' ? 'rejected' : null,
        ...keyedBy(status),
      });

      await expectEveryRead(storage, record);
    }
  },

  'read: an unknown verification is null': async (storage) => {
    const { verifications } = storage;

    expect(await verifications.find(clientId(1), verificationId(1))).toBeNull();
    expect(await verifications.findForAnyClient(verificationId(1))).toBeNull();
    expect(await verifications.findWithHistory(clientId(1), verificationId(1))).toBeNull();
    expect(await verifications.findByIdempotencyKey(clientId(1), 'key')).toBeNull();
  },

  'read: a text that cannot be an id finds nothing': async (storage) => {
    await givenVerification(storage, 1);
    const { verifications } = storage;

    for (const text of [
      '',
      '1',
      'not-an-id',
      `${verificationId(1)}0`,
      `${verificationId(1)}\u0000`,
      '\u0000',
      '🦉',
    ]) {
      expect(await verifications.find(clientId(1), text)).toBeNull();
      expect(await verifications.findForAnyClient(text)).toBeNull();
      expect(await verifications.findWithHistory(clientId(1), text)).toBeNull();
    }
  },

  'findForAnyClient: finds verifications of every client': async (storage) => {
    await givenClients(storage, [2, 3]);
    for (const n of range(1, 3)) await givenVerification(storage, n, { clientId: clientId(n) });

    for (const n of range(1, 3)) {
      const found = await storage.verifications.findForAnyClient(verificationId(n));
      expect(found).toEqual(aRecord(n, { clientId: clientId(n) }));
    }
  },

  'clientOf: finds the client of every verification; null for an unknown id': async (storage) => {
    await givenClients(storage, [2, 3]);
    const statuses = ['pending', 'submitted', 'approved'] as const;
    for (const [index, status] of statuses.entries())
      await givenVerification(storage, index + 1, { clientId: clientId(index + 1), status });
    const { verifications } = storage;

    for (const n of range(1, 3)) expect(await verifications.clientOf(verificationId(n))).toBe(clientId(n));
    for (const text of [verificationId(4), clientId(1), '', 'not-an-id', `${verificationId(1)}\u0000`, '🦉'])
      expect(await verifications.clientOf(text)).toBeNull();
  },

  'clientsWithReference: lists the clients that have a verification with exactly this reference': async (
    storage,
  ) => {
    await givenClients(storage, [2, 3]);
    await givenClient(storage, 4);
    const own = { subjectReference: 'Subject_1' };
    await givenVerification(storage, 1, own);
    await givenVerification(storage, 2, { ...own, clientId: clientId(2), status: 'rejected' });
    await givenVerification(storage, 3, { ...own, clientId: clientId(2) });
    await givenVerification(storage, 4, { subjectReference: 'Subject_10', clientId: clientId(3) });
    await givenVerification(storage, 5, { ...own, clientId: clientId(4) });
    const asked = [...range(1, 3).map(clientId), clientId(9), 'not-an-id', '\u0000'];
    const found = async (reference: string, ids: readonly string[] = asked) =>
      [...(await storage.verifications.clientsWithReference(reference, ids))].sort();

    expect(await found('Subject_1')).toEqual([clientId(1), clientId(2)]);
    expect(await found('Subject_10')).toEqual([clientId(3)]);
    expect(await found('Subject_1', [])).toEqual([]);
    for (const other of ['subject_1', 'Subject%', 'Subject', '', 'Subject_1\u0000', '\ud800'])
      expect(await found(other), JSON.stringify(other)).toEqual([]);
  },

  'findWithHistory: returns the events that changed the status, in the order of versions': async (storage) => {
    const first = await givenVerification(storage, 1, { status: 'submitted' });
    const second = await givenWithSteps(storage, 2);
    const later = moved(first, 'approved');
    await commit(storage, later);
    const third = await givenVerification(storage, 3);
    const expired = moved(third, 'rejected');
    await commit(storage, expired, { events: [eventOf(expired, { type: 'verification.expired' })] });

    const versions = async (id: string) => {
      const found = await storage.verifications.findWithHistory(clientId(1), id);
      return found?.events.map((event) => [event.verificationId, event.version, event.type]);
    };

    expect(await versions(first.id)).toEqual([
      [first.id, 1, 'verification.created'],
      [first.id, 2, 'verification.submitted'],
      [first.id, 3, 'verification.approved'],
    ]);
    expect(await versions(second.id)).toEqual([
      [second.id, 1, 'verification.created'],
      [second.id, 4, 'verification.submitted'],
      [second.id, 5, 'verification.action_requested'],
      [second.id, 7, 'verification.withdrawn'],
    ]);
    expect(await versions(third.id)).toEqual([
      [third.id, 1, 'verification.created'],
      [third.id, 2, 'verification.expired'],
    ]);
  },

  'findWithHistory: orders events by version, not by time or id': async (storage) => {
    const whole = await givenEventsOutOfOrder(storage);

    expect(await storage.verifications.findWithHistory(clientId(1), whole.record.id)).toEqual(whole);
  },

  'findWithHistory: verification and events are of one moment, during changes': async (storage) => {
    const { findWithHistory } = storage.verifications;

    await expectOneMoment(storage, (id) => findWithHistory(clientId(1), id));
  },

  'page: records and total are of one moment, during creations': async (storage) => {
    const write = async (first: number) => {
      for (const n of range(first, first + 9)) await createCharged(storage, aRecord(n));
    };
    const list = () => storage.verifications.list(clientId(1), aQuery());

    await expectPagesOfOneMoment([write(1), write(11), write(21), write(31)], list);

    expect((await list()).totalCount).toBe(40);
  },
});

/** Reads of a verification with its events by id only, as a reviewer opens it. */
export const anyClientReadsSuite: Suite = suiteGiven('reads for any client', givenClient, {
  'findWithEventsForAnyClient: returns every verification with its events, in any state': async (storage) => {
    await givenClients(storage, [2, 3]);
    for (const [index, status] of STATUSES.entries()) {
      const own = { clientId: clientId(1 + (index % 3)), status, metadata: { status } };
      const record = await givenVerification(storage, index + 1, own);

      const whole = await storage.verifications.findWithEventsForAnyClient(record.id, 100);

      expect(whole?.record).toEqual(record);
      expect(whole?.events.at(-1)).toEqual(eventOf(record));
    }
  },

  'findWithEventsForAnyClient: returns the events of one verification in the order of versions': async (
    storage,
  ) => {
    await givenClient(storage, 2);
    await givenVerification(storage, 2, { status: 'approved' });
    await givenVerification(storage, 3, { clientId: clientId(2), status: 'approved' });
    const whole = await givenEventsOutOfOrder(storage);

    expect(await storage.verifications.findWithEventsForAnyClient(whole.record.id, 100)).toEqual(whole);
  },

  'findWithEventsForAnyClient: returns events that leave the status unchanged too': async (storage) => {
    const { id } = await givenWithSteps(storage, 1);

    const found = await storage.verifications.findWithEventsForAnyClient(id, 100);

    expect(found?.events.map(({ version }) => version)).toEqual(range(1, 7));
  },

  'findWithEventsForAnyClient: returns the latest events up to the limit': async (storage) => {
    const { record, events } = await givenEventsOutOfOrder(storage);

    for (const limit of [1, 5, events.length]) {
      const found = await storage.verifications.findWithEventsForAnyClient(record.id, limit);
      expect(found).toEqual({ record, events: events.slice(-limit) });
    }
  },

  'findWithEventsForAnyClient: an unknown id, or a text that cannot be an id, is null': async (storage) => {
    await givenVerification(storage, 1);

    for (const text of [verificationId(2), clientId(1), '', 'not-an-id', `${verificationId(1)}\u0000`, '🦉']) {
      expect(await storage.verifications.findWithEventsForAnyClient(text, 100)).toBeNull();
    }
  },

  'findWithEventsForAnyClient: verification and events are of one moment, during changes': async (storage) => {
    await expectOneMoment(storage, (id) => wholeOf(storage, id));
  },
});

/** A verification with events of steps between its changes of status; the last of them leads from version 6 to 7. */
async function givenWithSteps(storage: Storage, n: number): Promise<VerificationRecord> {
  let record = await givenVerification(storage, n);
  const step = { type: 'verification.step_completed' } as const;
  const changes = [
    ['pending', step],
    ['pending', step],
    ['submitted', {}],
    ['action_needed', {}],
    ['action_needed', step],
    ['rejected', { type: 'verification.withdrawn' }],
  ] as const;
  for (const [status, event] of changes) {
    record = moved(record, status);
    await commit(storage, record, { events: [eventOf(record, event)] });
  }
  return record;
}

/** Thirteen changes of a verification's status. The later the version, the earlier its event by time and id. */
async function givenEventsOutOfOrder(storage: Storage): Promise<VerificationWithEvents> {
  let record = await givenVerification(storage, 1);
  const events = [eventOf(record)];
  for (const n of range(1, 12)) {
    record = moved(record, alternating(n), { answers: { n } });
    const id = `0000000${(15 - n).toString(16)}-0000-7000-8000-000000000000`;
    const event = eventOf(record, { id, at: new Date(record.requestedAt.getTime() - n * 1_000) });
    events.push(event);
    await commit(storage, record, { events: [event] });
  }
  return { record, events };
}

/** The status after the `n`th change. */
const alternating = (n: number): Status => (n % 2 === 1 ? 'submitted' : 'action_needed');

/** Reads a verification before, during and after many changes; each read must have events up to the record's version. */
async function expectOneMoment(
  storage: Storage,
  read: (id: string) => Promise<VerificationWithEvents | null>,
): Promise<void> {
  let record = await givenVerification(storage, 1);
  const reads: ReturnType<typeof read>[] = [];

  for (const n of range(1, 20)) {
    record = moved(record, alternating(n), { answers: { n } });
    reads.push(read(record.id));
    const committed = commit(storage, record);
    reads.push(read(record.id));
    await committed;
  }

  for (const whole of await Promise.all(reads)) {
    const versions = whole?.events.map(({ version }) => version);
    expect(versions, 'events up to the version of the record').toEqual(range(1, whole?.record.version ?? 0));
  }
}
