import { isCountersignError } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { aLogo, someDetails } from '../records/appearances.ts';
import { atOnce, refusalOf, tally } from '../records/at-once.ts';
import { aLine, anAuditQuery, givenLine } from '../records/audit.ts';
import { givenClient } from '../records/clients.ts';
import { aDataKey, givenDataKey } from '../records/data-keys.ts';
import { eventOf } from '../records/events.ts';
import { givenRequest } from '../records/exports.ts';
import { givenHandOver } from '../records/hand-overs.ts';
import { clientId, MARCH, minute, verificationId } from '../records/ids.ts';
import { aLabel, givenIndexKey, labelled, ofClient, someLabels } from '../records/indexes.ts';
import { aKey, givenKey, givenKeys } from '../records/keys.ts';
import { allMails, aMail } from '../records/mails.ts';
import { pictureOf } from '../records/picture.ts';
import { givenReading } from '../records/readings.ts';
import { aRecord, moved } from '../records/records.ts';
import { aPolicy, aReceipt, receipts } from '../records/retention.ts';
import { commit, createCharged, givenVerification, givenVerifications } from '../records/verifications.ts';
import { fanOut, givenEndpoint, leaseEndpoints, logOf } from '../records/webhooks.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** A storage whose data outlives it. */
export interface ReopenableStorage {
  readonly storage: Storage;
  /** Opens another storage on the same data, after `storage` was closed. Called once. */
  reopen(): Promise<Storage>;
}

/** Closes the storage, and opens another one on its data. */
async function reopened(subject: ReopenableStorage): Promise<Storage> {
  await subject.storage.close();
  return subject.reopen();
}

/** Runs a case on the storage, and ends the one that it opens again. */
async function after(subject: ReopenableStorage, check: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await reopened(subject);
  try {
    await check(storage);
  } finally {
    await storage.close();
  }
}

/** A case about one part, so that a missing part skips no other: what `store` stores, `read` returns after reopening too. */
const keeps =
  (store: (storage: Storage) => Promise<unknown>, read: (storage: Storage) => Promise<unknown>) =>
  async (subject: ReopenableStorage): Promise<void> => {
    const { storage } = subject;
    await givenClient(storage);
    await store(storage);
    const before: unknown = structuredClone(await read(storage));

    await after(subject, async (again) => {
      expect(await read(again)).toEqual(before);
    });
  };

const client = clientId(1);
const place = { clientId: client, verificationId: verificationId(1) };

/** What was acknowledged is there when the storage is opened again. */
export const durabilitySuite: Suite<ReopenableStorage> = suiteOf('durability', {
  'reopen: clients, keys, verifications and events are there': async (subject) => {
    const { storage } = subject;
    await givenClient(storage);
    await givenKeys(storage, [1, 2]);
    await givenVerifications(storage, [1, 3], { status: 'action_needed' });
    const before = structuredClone(await pictureOf(storage));

    await after(subject, async (again) => {
      expect(await pictureOf(again)).toEqual(before);
    });
  },

  'reopen: data keys, counts and the audit log are there': keeps(
    async (storage) => {
      await givenVerification(storage, 1, { status: 'submitted' });
      await givenDataKey(storage, 1, aDataKey(1));
      await givenLine(storage, aLine(1));
    },
    async ({ dataKeys, verifications, audit }) => ({
      dataKey: await dataKeys.find(client, verificationId(1)),
      counts: await verifications.counts(client),
      audit: await audit.list(anAuditQuery()),
      head: await audit.head(),
    }),
  ),

  'reopen: endpoints and deliveries are there': keeps(
    async (storage) => {
      await givenVerification(storage, 1, { status: 'submitted' });
      await givenEndpoint(storage);
      await fanOut(storage);
    },
    async (storage) => {
      const endpoints = await storage.webhooks.list(client);
      return { endpoints, deliveries: await Promise.all(endpoints.map((endpoint) => logOf(storage, endpoint))) };
    },
  ),

  'reopen: the policy, receipts and the id of the erasure log are there': keeps(
    async ({ retention }) => {
      await retention.setPolicy(client, aPolicy());
      await retention.setErasureLogId('log-1');
      await retention.recordErasure(aReceipt(1));
    },
    async (storage) => ({
      policy: await storage.retention.ofClient(client),
      receipts: await receipts(storage),
      logId: await storage.retention.erasureLogId(),
    }),
  ),

  'reopen: exports are there': keeps(
    async (storage) => {
      await givenVerification(storage, 1);
      await givenRequest(storage, 1);
    },
    ({ exports }) => exports.list({ waiting: true, after: null, limit: 10 }),
  ),

  'reopen: hand-over codes are there': keeps(
    async (storage) => {
      await givenVerification(storage, 1);
      await givenHandOver(storage, 1);
    },
    ({ handOvers }) => handOvers.find(place),
  ),

  'reopen: readings are there': keeps(
    async (storage) => {
      await givenVerification(storage, 1);
      await givenReading(storage, 1);
    },
    ({ readings }) => readings.find(place),
  ),

  'reopen: keys and labels of blind indexes are there': keeps(
    async (storage) => {
      await givenVerification(storage, 1, { status: 'submitted' });
      await givenIndexKey(storage);
      expect(await storage.indexes.save(labelled(1), someLabels(1, 2), 2)).toBe(true);
    },
    async ({ indexes }) => ({
      keys: await indexes.keys(client),
      labels: await indexes.find({ labels: [ofClient(aLabel(1)), ofClient(aLabel(2))], limit: 10 }),
    }),
  ),

  'reopen: appearances are there': keeps(
    async ({ appearances }) => {
      await appearances.setDetails(client, someDetails());
      await appearances.setLogo(client, aLogo());
    },
    async ({ appearances }) => ({
      appearance: await appearances.find(client),
      logo: await appearances.logoContent(client, aLogo().id),
    }),
  ),

  'reopen: mails that wait are there': keeps(
    (storage) => createCharged(storage, aRecord(1), { mails: [aMail(1), aMail(2)] }),
    // A call of the part: without it, no mails are stored.
    async (storage) => {
      const mails = await allMails(storage);
      expect(mails.map(({ id }) => id)).toEqual([aMail(1).id, aMail(2).id]);
      return mails;
    },
  ),

  'reopen: every creation that was acknowledged just before the end is there': async (subject) => {
    await givenClient(subject.storage);
    const outcomes = atOnce(20, (n) => createCharged(subject.storage, aRecord(n + 1)));

    await after(subject, async (again) => {
      expect(tally(await outcomes)).toEqual({ created: 20 });
      const [picture] = await pictureOf(again);
      const found = picture?.verifications.map((record) => record?.id).sort();
      expect(found).toEqual(Array.from({ length: 20 }, (_, index) => verificationId(index + 1)));
      expect(picture?.used.march).toBe(20);
    });
  },

  'reopen: a creation that was rejected after close is not there': async (subject) => {
    const { storage } = subject;
    await givenClient(storage);
    await givenVerification(storage, 1);
    const before = structuredClone(await pictureOf(storage));
    await storage.close();
    expect(isCountersignError(await refusalOf(createCharged(storage, aRecord(2))), 'SERVICE_UNAVAILABLE')).toBe(
      true,
    );

    await after(subject, async (again) => {
      expect(await pictureOf(again)).toEqual(before);
    });
  },

  'reopen: quota, versions, subjects and keys are guarded as before': async (subject) => {
    const { storage } = subject;
    await givenClient(storage);
    const first = await givenVerification(storage, 1);
    const second = moved(first, 'submitted');
    await commit(storage, second);
    await givenKey(storage, 1);
    await storage.apiKeys.revoke(clientId(1), aKey(1).id, minute(90));

    await after(subject, async (again) => {
      expect(await createCharged(again, aRecord(2), { allowance: 1 })).toEqual({ outcome: 'limit_reached' });
      expect(await createCharged(again, aRecord(3, { subjectReference: first.subjectReference }))).toEqual({
        outcome: 'duplicate',
        verificationId: first.id,
        status: 'submitted',
      });
      expect(await commit(again, moved(first, 'pending'), { events: [] })).toEqual({ outcome: 'conflict' });
      expect(await again.apiKeys.revoke(clientId(1), aKey(1).id, minute(95))).toEqual({
        outcome: 'already_revoked',
      });
      expect(await again.clients.usedIn(clientId(1), MARCH)).toBe(1);
    });
  },

  'reopen: a lease holds until its end, and no event is fanned out again': async (subject) => {
    const { storage } = subject;
    await givenClient(storage);
    const endpoint = await givenEndpoint(storage);
    const record = await givenVerification(storage, 1);
    await fanOut(storage);
    await leaseEndpoints(storage);

    await after(subject, async (again) => {
      expect(await fanOut(again)).toBe(0);
      expect((await leaseEndpoints(again, 2)).map(({ id }) => id)).toEqual([]);
      expect((await logOf(again, endpoint)).map(({ eventId }) => eventId)).toEqual([eventOf(record).id]);
    });
  },
});

/** The suites of storages that can be reopened. */
export const DURABILITY_SUITES: readonly Suite<ReopenableStorage>[] = [durabilitySuite];
