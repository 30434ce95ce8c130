import { expect, test } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { inState } from '../../test-support/verifications.ts';
import type { IndexRepository } from '../matching/index-repository.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { type RebuildIndexPorts, rebuildIndex } from './rebuild-index.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';

const KEY = { clientId: 'client-1', version: 1, value: 'key', wrappedBy: null };

/** Rebuilds the index, in which one verification is behind. @returns the result, and how often labels were saved */
async function rebuild(
  others: Partial<IndexRepository>,
  record: VerificationRecord | null = toRecord(inState('approved')),
) {
  let saves = 0;
  const indexes: Partial<IndexRepository> = {
    countBehind: async () => 1,
    listBehind: async () => [{ clientId: 'client-1', verificationId: 'verification-1' }],
    keys: async () => [KEY],
    ...others,
    save: async (...labels) => {
      saves += 1;
      return (await others.save?.(...labels)) ?? true;
    },
  };
  const secrets: Partial<RebuildIndexPorts['secrets']> = {
    label: (key, purpose, text) => `${purpose} of ${text} by ${key}`,
    randomBase64: (bytes) => `${bytes} random bytes`,
  };
  const result = await rebuildIndex({
    storage: {
      clients: { find: async () => null, list: async () => [] },
      verifications: { find: async () => record },
      indexes: portWith<IndexRepository>(indexes),
    },
    secrets: portWith<RebuildIndexPorts['secrets']>(secrets),
    flows: BUILT_IN_FLOWS,
  });
  return { ...result, saves };
}

const LABELLED = { labelled: 1, unreadable: 0, keysAdded: 0, keysRemoved: 0 };

test('a verification that changes each time before its labels are saved is read five times', async () => {
  let attempts = 0;
  // Later attempts succeed at some point, so that the test ends even if the limit is missing.
  const save = async () => ++attempts > 8;
  expect(await rebuild({ save })).toEqual({ ...LABELLED, saves: 5 });
});

test('a verification of a client that was removed meanwhile is passed over', async () => {
  const gone = { keys: async () => [], addKey: async () => false };
  expect(await rebuild(gone)).toEqual({ ...LABELLED, saves: 0 });
});

test('a verification that was removed meanwhile is passed over', async () => {
  expect(await rebuild({}, null)).toEqual({ ...LABELLED, saves: 0 });
});
