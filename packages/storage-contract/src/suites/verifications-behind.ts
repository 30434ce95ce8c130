import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { givenClient } from '../records/clients.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { anIndexKey, givenIndexKey, someLabels } from '../records/indexes.ts';
import { moved } from '../records/records.ts';
import { givenFacts, NO_IDS } from '../records/retention.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

const ownerOf = (n: number): string => clientId(n % 2 === 0 ? 2 : 1);

/** Two clients with index keys: submitted verifications 1, 3 and 5 of the first, and 2 and 4 of the second, without labels. */
async function givenSubmitted(storage: Storage): Promise<void> {
  for (const owner of [1, 2]) {
    await givenClient(storage, owner);
    await givenIndexKey(storage, anIndexKey(1, { clientId: clientId(owner) }));
  }
  for (const n of [5, 4, 3, 2, 1]) {
    await givenVerification(storage, n, { status: 'submitted', clientId: ownerOf(n) });
  }
}

interface Asked {
  readonly rulesVersion?: number;
  readonly clientId?: string;
  readonly after?: string;
  readonly limit?: number;
}

/** Returns the numbers of the verifications that are listed, and checks that as many are counted. */
async function behind({ indexes }: Storage, given: Asked = {}): Promise<readonly number[]> {
  const { rulesVersion = 1, clientId: owner, after = null, limit = 10 } = given;
  const listed = await indexes.listBehind({ rulesVersion, clientId: owner, after, limit });
  if (after === null && listed.length < limit) {
    expect(await indexes.countBehind({ rulesVersion, clientId: owner }), 'countBehind').toBe(listed.length);
  }
  return listed.map((one) => {
    const n = [1, 2, 3, 4, 5].find((number) => verificationId(number) === one.verificationId) ?? 0;
    expect(one).toEqual({ clientId: ownerOf(n), verificationId: verificationId(n) });
    return n;
  });
}

async function label(
  { indexes }: Storage,
  n: number,
  versions: { readonly keyVersion?: number; readonly rulesVersion?: number } = {},
): Promise<void> {
  const place = { clientId: ownerOf(n), verificationId: verificationId(n) };
  expect(await indexes.save(place, { ...someLabels(n), ...versions }, 2)).toBe(true);
}

/** Verifications whose labels are missing, or of another key or earlier rules. */
export const verificationsBehindSuite: Suite = suiteGiven('verifications to label again', givenSubmitted, {
  'listBehind: lists submitted verifications without labels, of all clients or one, in the order of their ids':
    async (storage) => {
      expect(await behind(storage)).toEqual([1, 2, 3, 4, 5]);
      expect(await behind(storage, { clientId: clientId(1) })).toEqual([1, 3, 5]);
      expect(await behind(storage, { clientId: clientId(3) })).toEqual([]);
      for (const id of NO_IDS) expect(await behind(storage, { clientId: id }), JSON.stringify(id)).toEqual([]);
    },

  'listBehind: a page has at most its limit, and begins after a verification, which need not be listed': async (
    storage,
  ) => {
    await label(storage, 2);
    expect(await behind(storage, { limit: 2 })).toEqual([1, 3]);
    expect(await behind(storage, { after: verificationId(2) })).toEqual([3, 4, 5]);
    expect(await behind(storage, { after: verificationId(3), limit: 1 })).toEqual([4]);
    const ofFirst = { after: verificationId(3), clientId: clientId(1), limit: 1 };
    expect(await behind(storage, ofFirst)).toEqual([5]);
  },

  'listBehind: leaves out what is labelled, also without any label, by the newest key and rules': async (
    storage,
  ) => {
    await label(storage, 1);
    const third = { clientId: clientId(1), verificationId: verificationId(3) };
    expect(await storage.indexes.save(third, someLabels(), 2)).toBe(true);
    expect(await behind(storage)).toEqual([2, 4, 5]);
  },

  'listBehind: lists labels of an older key of the same client': async (storage) => {
    for (const n of [1, 2]) await label(storage, n);
    await givenIndexKey(storage, anIndexKey(2));
    expect(await behind(storage)).toEqual([1, 3, 4, 5]);
    await label(storage, 1, { keyVersion: 2 });
    expect(await behind(storage)).toEqual([3, 4, 5]);
  },

  'listBehind: lists labels of earlier rules, and none of later ones': async (storage) => {
    for (const n of [1, 2, 3]) await label(storage, n, { rulesVersion: n });
    expect(await behind(storage, { rulesVersion: 2 })).toEqual([1, 4, 5]);
    expect(await behind(storage)).toEqual([4, 5]);
  },

  'listBehind: leaves out verifications that wait for their subject, and those whose erasure has begun': async (
    storage,
  ) => {
    await givenVerification(storage, 6, { status: 'action_needed', clientId: clientId(2) });
    await givenVerification(storage, 7, { status: 'pending' });
    await givenVerification(storage, 8, { status: 'rejected', submittedAt: null });
    const fourth = await storage.verifications.findForAnyClient(verificationId(4));
    if (fourth === null) throw new Error('set-up of the case: no verification');
    expect(await commit(storage, moved(fourth, 'rejected'))).toEqual({ outcome: 'committed' });
    expect(await behind(storage)).toEqual([1, 2, 3, 4, 5]);
    await givenFacts(storage, 4, { erasedAt: minute(300), retentionCheckAt: minute(300) }, 2);
    expect(await behind(storage)).toEqual([1, 2, 3, 5]);
  },
});
