import { STATUSES } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { givenClient, givenClients } from '../records/clients.ts';
import { clientId, daysAfter, minute, verificationId } from '../records/ids.ts';
import { moved } from '../records/records.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const ENDED = minute(0);
const LONG_AGO = { requestedAt: daysAfter(ENDED, -60), linkExpiresAt: daysAfter(ENDED, -1) } as const;

/** The verifications whose link ended long ago, and no others. */
export const dueForExpirySuite: Suite = suiteOf('due for expiry', {
  'due: returns pending and action_needed verifications of every client, in no other state': async (storage) => {
    await givenClients(storage, [1, 2]);
    expect(await due(storage)).toEqual([]);
    for (const [index, status] of STATUSES.entries()) {
      await givenVerification(storage, 10 + index, { ...LONG_AGO, status });
      await givenVerification(storage, 20 + index, { ...LONG_AGO, status, type: 'kyb', clientId: clientId(2) });
    }

    expect(
      await storage.verifications.dueForExpiry({ linkEndedBy: ENDED, requestedBy: ENDED, limit: 10 }),
    ).toEqual([
      { clientId: clientId(1), verificationId: verificationId(12) },
      { clientId: clientId(1), verificationId: verificationId(10) },
      { clientId: clientId(2), verificationId: verificationId(22) },
      { clientId: clientId(2), verificationId: verificationId(20) },
    ]);
  },

  'due: a link that ended at the given moment or earlier, to the millisecond': async (storage) => {
    await givenClient(storage);
    const ended = async (n: number, milliseconds: number) =>
      givenVerification(storage, n, { ...LONG_AGO, linkExpiresAt: minute(0, milliseconds) });
    await ended(1, 0);
    await ended(2, 1);
    await ended(3, -1);
    await ended(4, 60_000);

    expect((await due(storage)).sort()).toEqual([1, 3].map(verificationId));
  },

  'due: requested at the given moment or earlier, to the millisecond': async (storage) => {
    await givenClient(storage);
    const requestedBy = daysAfter(ENDED, -30);
    for (const [n, milliseconds] of [
      [1, 0],
      [2, 1],
      [3, -1],
    ] as const) {
      const requestedAt = new Date(requestedBy.getTime() + milliseconds);
      await givenVerification(storage, n, { requestedAt, linkExpiresAt: ENDED });
    }

    expect((await due(storage, { requestedBy })).sort()).toEqual([1, 3].map(verificationId));
  },

  'due: in the order of client, status, type, time of the request and id, up to the limit': async (storage) => {
    await givenClients(storage, [1, 2]);
    const given = (
      n: number,
      client: number,
      status: 'pending' | 'action_needed',
      type: 'kyc' | 'kyb',
      at: number,
    ) =>
      givenVerification(storage, n, {
        clientId: clientId(client),
        status,
        type,
        requestedAt: new Date(LONG_AGO.requestedAt.getTime() + at),
        // The later the request, the earlier the end of the link.
        linkExpiresAt: new Date(LONG_AGO.linkExpiresAt.getTime() - at),
      });
    await given(1, 2, 'action_needed', 'kyb', 0);
    await given(2, 1, 'pending', 'kyc', 0);
    await given(3, 1, 'pending', 'kyc', 5);
    await given(4, 1, 'pending', 'kyc', 4);
    await given(6, 1, 'pending', 'kyb', 999);
    await given(5, 1, 'pending', 'kyb', 999);
    await given(7, 1, 'action_needed', 'kyc', 9);
    await given(8, 1, 'action_needed', 'kyb', 3);

    const inOrder = [8, 7, 5, 6, 2, 4, 3, 1].map(verificationId);
    expect(await due(storage)).toEqual(inOrder);
    for (const limit of [1, 3, 7, 8]) expect(await due(storage, { limit })).toEqual(inOrder.slice(0, limit));
  },

  'due: a verification leaves with its expiry, a submission or a new link': async (storage) => {
    await givenClient(storage);
    const [expired, submitted, renewed, noted] = [
      await givenVerification(storage, 1, LONG_AGO),
      await givenVerification(storage, 2, LONG_AGO),
      await givenVerification(storage, 3, LONG_AGO),
      await givenVerification(storage, 4, LONG_AGO),
    ];
    await commit(storage, moved(expired, 'rejected'));
    await commit(storage, moved(submitted, 'submitted'));
    await commit(storage, moved(renewed, 'pending', { linkVersion: 2, linkExpiresAt: daysAfter(ENDED, 30) }));
    await commit(storage, moved(noted, 'pending', { linkExpiresAt: LONG_AGO.linkExpiresAt }));
    expect(await due(storage)).toEqual([noted.id]);

    const conflict = moved(moved(noted, 'pending'), 'rejected');
    await commit(storage, conflict, { expectedVersion: 7 });
    expect(await due(storage)).toEqual([noted.id]);
  },

  'due: a verification becomes due with the end of its new link': async (storage) => {
    await givenClient(storage);
    const stored = await givenVerification(storage, 1, { ...LONG_AGO, linkExpiresAt: daysAfter(ENDED, 30) });
    expect(await due(storage)).toEqual([]);

    await commit(storage, moved(stored, 'pending', { linkExpiresAt: ENDED }));
    expect(await due(storage)).toEqual([stored.id]);
  },
});

async function due(
  { verifications }: Storage,
  given: { requestedBy?: Date; limit?: number } = {},
): Promise<string[]> {
  const found = await verifications.dueForExpiry({
    linkEndedBy: ENDED,
    requestedBy: ENDED,
    limit: 100,
    ...given,
  });
  return found.map((each) => each.verificationId);
}
