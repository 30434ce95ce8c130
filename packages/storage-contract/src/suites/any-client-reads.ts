import { STATUSES } from '@countersign/domain';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { moved } from '../records/records.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** A verification with its events, of whichever client: what a reviewer opens. */
export const anyClientReadsSuite: Suite = suiteOf('reads for any client', {
  'whichever client it is of, in any state, it is what its client reads': async (storage) => {
    await givenClients(storage, 3);
    for (const [index, status] of STATUSES.entries()) {
      const own = { clientId: clientId(1 + (index % 3)), status, metadata: { status } };
      const record = await givenVerification(storage, index + 1, own);

      const whole = await storage.verifications.findWithEventsForAnyClient(record.id);

      expect(whole?.record).toEqual(record);
      expect(whole).toEqual(await storage.verifications.findWithEvents(record.clientId, record.id));
    }
  },

  'events are its own alone, in the order of their versions': async (storage) => {
    await givenClients(storage, 2);
    const created = await givenVerification(storage, 1);
    await givenVerification(storage, 2, { status: 'approved' });
    await givenVerification(storage, 3, { clientId: clientId(2), status: 'approved' });
    let record = created;
    const events = [eventOf(created)];
    for (const n of range(1, 11)) {
      record = moved(record, 'pending', { answers: { n } });
      const id = `0000000${(15 - n).toString(16)}-0000-7000-8000-000000000000`;
      const event = eventOf(record, { id, at: new Date(created.requestedAt.getTime() - n) });
      events.push(event);
      await commit(storage, record, { events: [event] });
    }

    expect(await storage.verifications.findWithEventsForAnyClient(created.id)).toEqual({ record, events });
  },

  'an unknown verification, or a text that cannot be an id, is null': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);

    for (const text of [verificationId(2), clientId(1), '', 'not-an-id', `${verificationId(1)}\u0000`, '🦉']) {
      expect(await storage.verifications.findWithEventsForAnyClient(text)).toBeNull();
    }
  },

  'a verification and its events are seen at one moment, while changes go on': async (storage) => {
    await givenClient(storage);
    let record = await givenVerification(storage, 1);
    const { findWithEventsForAnyClient: read } = storage.verifications;
    const reads: ReturnType<typeof read>[] = [];

    for (const n of range(1, 20)) {
      record = moved(record, 'pending', { answers: { n } });
      reads.push(read(record.id));
      const committed = commit(storage, record);
      reads.push(read(record.id));
      await committed;
    }

    for (const whole of await Promise.all(reads)) {
      const versions = whole?.events.map(({ version }) => version);
      expect(versions, 'events up to the version of the record').toEqual(range(1, whole?.record.version ?? 0));
    }
  },
});
