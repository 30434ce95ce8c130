import { STATUSES, shortReference } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClients } from '../records/clients.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { asQueued } from '../records/queries.ts';
import { keyedBy } from '../records/records.ts';
import { erasureOf, givenBegun } from '../records/retention.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** An id with the same short reference as the one made of 0 and every other of this function. */
const twinId = (n: number): string =>
  `${n.toString(16).padStart(2, '0')}993d4c-5${n.toString(16).padStart(3, '0')}-7cc5-b4b4-3c1f0ae${n % 10}a602`;
const REFERENCE = shortReference(twinId(0));

/** The verifications with a short reference: of a client, or of all. */
export const shortReferencesSuite: Suite = suiteGiven(
  'short references',
  (storage: Storage) => givenClients(storage, [1, 2]),
  {
    'short reference: finds the verification whole, and no other': async (storage) => {
      const claim = { claimedBy: 'reviewer-1', claimedAt: minute(9) };
      const rich = { type: 'kyb', metadata: { tier: 'gold' }, ...keyedBy('key'), ...claim } as const;
      const stored = await givenVerification(storage, 1, { id: twinId(7), status: 'submitted', ...rich });
      for (const n of range(2, 9)) await givenVerification(storage, n);

      const request = { reference: REFERENCE, clientId: clientId(1), limit: 10 };
      expect(await storage.verifications.findByShortReference(request)).toEqual([asQueued(stored)]);
      for (const n of range(2, 9)) {
        expect(await found(storage, { reference: shortReference(verificationId(n)) })).toEqual([
          verificationId(n),
        ]);
      }
    },

    'short reference: ids that differ where a reference does not, and in one character more': async (storage) => {
      const ids = [
        '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602',
        'ffffffff-ffff-4fff-bfff-ffffffffffff',
        '00000000-0000-0000-0000-000000000000',
      ];
      const others = [
        '01993d4c-6a80-7cc5-b4b4-3c1f0ae1a602',
        '01993d4d-5a80-7cc5-b4b4-3c1f0ae1a602',
        '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a603',
      ];
      for (const [index, id] of [...ids, ...others].entries()) await givenVerification(storage, index + 1, { id });

      for (const id of [...ids, ...others]) {
        expect(await found(storage, { reference: shortReference(id) }), id).toEqual([id]);
      }
    },

    'short reference: several have it: the newest first, then the greatest id, up to the limit': async (
      storage,
    ) => {
      for (const [n, milliseconds] of [
        [1, 5],
        [200, 4],
        [3, 6],
        [255, 5],
      ] as const) {
        await givenVerification(storage, n, { id: twinId(n), requestedAt: minute(9, milliseconds) });
      }

      const inOrder = [3, 255, 1, 200].map(twinId);
      expect(await found(storage)).toEqual(inOrder);
      for (const limit of [1, 3, 4]) expect(await found(storage, { limit })).toEqual(inOrder.slice(0, limit));
    },

    'short reference: finds the verifications of one client, or of all': async (storage) => {
      await givenVerification(storage, 1, { id: twinId(1) });
      await givenVerification(storage, 2, { id: twinId(2), clientId: clientId(2) });

      expect(await found(storage, { clientId: clientId(1) })).toEqual([twinId(1)]);
      expect(await found(storage, { clientId: clientId(2) })).toEqual([twinId(2)]);
      expect(await found(storage, { clientId: clientId(3) })).toEqual([]);
      expect(await found(storage, { clientId: 'no-client' })).toEqual([]);
      expect(await found(storage, { clientId: undefined })).toEqual([twinId(2), twinId(1)]);
    },

    'short reference: finds a verification in every state': async (storage) => {
      for (const [index, status] of STATUSES.entries()) {
        await givenVerification(storage, index + 1, { id: twinId(index), status });
      }

      expect(await found(storage)).toEqual(STATUSES.map((_, index) => twinId(index)).reverse());
    },

    'short reference: finds an erased verification': async (storage) => {
      const begun = await givenBegun(storage, 1);
      await storage.retention.erase(erasureOf(begun));

      expect(await found(storage, { reference: shortReference(verificationId(1)) })).toEqual([verificationId(1)]);
    },

    'short reference: a text that is none finds nothing': async (storage) => {
      await givenVerification(storage, 1, { id: twinId(1) });

      for (const reference of [
        '',
        '-',
        '%',
        REFERENCE.toLowerCase(),
        REFERENCE.replace('-', ''),
        `${REFERENCE}\u0000`,
        twinId(1),
      ]) {
        expect(await found(storage, { reference }), reference).toEqual([]);
      }
    },
  },
);

async function found(
  { verifications }: Storage,
  given: { reference?: string; clientId?: string | undefined; limit?: number } = {},
): Promise<string[]> {
  const request = { reference: REFERENCE, clientId: clientId(1), limit: 10, ...given };
  return (await verifications.findByShortReference(request)).map(({ id }) => id);
}
