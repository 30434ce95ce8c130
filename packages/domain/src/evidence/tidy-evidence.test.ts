import { expect, test } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { createTidyEvidence } from './tidy-evidence.ts';

test('the background job asks once for the files of a verification that come one after another', async () => {
  const asked: string[] = [];
  const deleted: string[] = [];
  const places = ['a', 'a', 'b', 'a', 'gone', 'gone'].map((verificationId, index) => ({
    clientId: 'client-1',
    verificationId,
    fileId: `file-${index}`,
  }));
  const { tidy } = createTidyEvidence({
    store: {
      put: async () => undefined,
      get: async () => null,
      delete: async ({ fileId }) => {
        deleted.push(fileId);
      },
      filesOf: async () => expect.unreachable(),
      async *listWrittenBefore(moment) {
        expect(moment).toEqual(new Date(NOW.getTime() - 60 * 60 * 1000));
        yield* places;
      },
    },
    fileIdsOf: async ({ verificationId }) => {
      asked.push(verificationId);
      return verificationId === 'gone' ? null : new Set(['file-1']);
    },
    clock: { now: () => NOW },
    onFault: () => undefined,
  });

  expect(await tidy()).toEqual({ deleted: 3, foreign: 2 });
  expect(deleted).toEqual(['file-0', 'file-2', 'file-3']);
  expect(asked).toEqual(['a', 'b', 'a', 'gone']);
});
