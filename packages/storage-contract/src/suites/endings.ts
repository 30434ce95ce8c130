import type { EventType, SystemReason } from '@countersign/domain';
import type { Storage, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClients } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { moved } from '../records/records.ts';
import { ERASED_AT, erasureOf, givenFacts, NO_IDS, retained } from '../records/retention.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** How verifications ended without a review. */
export const endingsSuite: Suite = suiteGiven('endings', (storage: Storage) => givenClients(storage, [1, 2]), {
  'endings: tells withdrawn and expired verifications from rejected ones, from open and approved ones': async (
    storage,
  ) => {
    await givenEnded(storage, 1, 'verification.withdrawn');
    await givenEnded(storage, 2, 'verification.expired');
    await givenEnded(storage, 3, 'verification.rejected');
    await givenVerification(storage, 4);
    await givenVerification(storage, 5, { status: 'submitted' });
    await givenVerification(storage, 6, { status: 'action_needed' });
    await givenVerification(storage, 7, { status: 'approved' });
    await givenVerification(storage, 8, { status: 'rejected' });

    expect(await endings(storage, range(1, 8))).toEqual([
      [verificationId(1), 'withdrawn'],
      [verificationId(2), 'expired'],
    ]);
  },

  'endings: finds those that are asked for, in any order, also one that ended after an action was needed': async (
    storage,
  ) => {
    const asked = await givenVerification(storage, 1, { status: 'action_needed' });
    await end(storage, asked, 'verification.expired');
    for (const n of range(2, 5)) await givenEnded(storage, n, 'verification.withdrawn');

    expect(await endings(storage, [4, 1])).toEqual([
      [verificationId(1), 'expired'],
      [verificationId(4), 'withdrawn'],
    ]);
    expect(await endings(storage, [2, 2])).toEqual([[verificationId(2), 'withdrawn']]);
    expect(await endings(storage, [])).toEqual([]);
  },

  'endings: finds those of several clients, each under its own client only': async (storage) => {
    await givenEnded(storage, 1, 'verification.withdrawn');
    await givenEnded(storage, 2, 'verification.expired', { clientId: clientId(2) });

    const found = await storage.verifications.findEndings([
      { clientId: clientId(1), verificationId: verificationId(1) },
      { clientId: clientId(2), verificationId: verificationId(2) },
    ]);
    expect([...found].sort()).toEqual([
      [verificationId(1), 'withdrawn'],
      [verificationId(2), 'expired'],
    ]);
    expect(await endings(storage, [1, 2], 1)).toEqual([[verificationId(1), 'withdrawn']]);
    expect(await endings(storage, [1, 2], 2)).toEqual([[verificationId(2), 'expired']]);
    expect(await endings(storage, [1, 2], 3)).toEqual([]);
  },

  'endings: stay the same when other events follow, and after an erasure': async (storage) => {
    await givenEnded(storage, 1, 'verification.withdrawn');
    await givenEnded(storage, 2, 'verification.expired');
    const both = [
      [verificationId(1), 'withdrawn'],
      [verificationId(2), 'expired'],
    ];
    for (const n of [1, 2]) await givenFacts(storage, n, { heldAt: minute(20) });
    expect(await endings(storage, [1, 2])).toEqual(both);

    for (const n of [1, 2]) {
      const begun = { heldAt: null, erasedAt: ERASED_AT, retentionCheckAt: ERASED_AT };
      await storage.retention.erase(erasureOf(await givenFacts(storage, n, begun)));
      expect((await retained(storage, n)).erasureNumber).not.toBeNull();
    }
    expect(await endings(storage, [1, 2])).toEqual(both);
  },

  'endings: a text that is no id finds nothing': async (storage) => {
    await givenEnded(storage, 1, 'verification.withdrawn');

    for (const text of NO_IDS) {
      const asked = [
        { clientId: clientId(1), verificationId: text },
        { clientId: text, verificationId: verificationId(1) },
      ];
      expect([...(await storage.verifications.findEndings(asked))], JSON.stringify(text)).toEqual([]);
    }
  },
});

async function givenEnded(
  storage: Storage,
  n: number,
  type: EventType,
  given: Partial<VerificationRecord> = {},
): Promise<VerificationRecord> {
  return end(storage, await givenVerification(storage, n, given), type);
}

async function end(storage: Storage, record: VerificationRecord, type: EventType): Promise<VerificationRecord> {
  const ended = moved(record, 'rejected', { resolvedAt: minute(10) });
  expect(await commit(storage, ended, { events: [eventOf(ended, { type })] })).toEqual({ outcome: 'committed' });
  return ended;
}

/** The endings of verifications of one client, in the order of their ids. */
async function endings(
  { verifications }: Storage,
  numbers: readonly number[],
  client = 1,
): Promise<(readonly [string, SystemReason])[]> {
  const asked = numbers.map((n) => ({ clientId: clientId(client), verificationId: verificationId(n) }));
  return [...(await verifications.findEndings(asked))].sort();
}
