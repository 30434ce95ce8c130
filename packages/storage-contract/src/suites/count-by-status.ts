import { STATUSES } from '@countersign/domain';
import { expect } from 'vitest';
import { givenClient } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { inState } from '../records/records.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Counts of verifications by status, as metrics show them. */
export const countByStatusSuite: Suite = suiteGiven('count by status', givenClient, {
  'countByStatus: counts 0 of each status in an empty storage': async ({ verifications }) => {
    expect(await verifications.countByStatus()).toEqual(COUNTS_OF_NONE);
  },

  'countByStatus: counts the verifications of all clients': async (storage) => {
    await givenClient(storage, 2);
    let n = 0;
    for (const [index, status] of STATUSES.entries()) {
      for (let more = 0; more <= index; more += 1) {
        n += 1;
        await givenVerification(storage, n, { status, clientId: clientId(1 + (n % 2)) });
      }
    }
    const counts = Object.fromEntries(STATUSES.map((status, index) => [status, index + 1]));
    expect(await storage.verifications.countByStatus()).toEqual(counts);
  },

  'countByStatus: counts a verification in its current status only': async (storage) => {
    const record = await givenVerification(storage, 1);
    const submitted = inState('submitted', record.type, record.requestedAt);
    await commit(storage, { ...record, ...submitted, version: 2, eventCount: 2 });
    expect(await storage.verifications.countByStatus()).toEqual({ ...COUNTS_OF_NONE, submitted: 1 });
  },
});

const COUNTS_OF_NONE = Object.fromEntries(STATUSES.map((status) => [status, 0]));
