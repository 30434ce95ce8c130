import { expect, test } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { createTidyEvidence } from './tidy-evidence.ts';

test('the background job asks once for the files of a verification that come one after another, and deletes their readings first', async () => {
  const asked: string[] = [];
  const deleted: string[] = [];
  const order: string[] = [];
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
        order.push(`content of ${fileId}`);
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
    removeReadings: async (removed) => void order.push(...removed.map(({ fileId }) => `reading of ${fileId}`)),
    clock: { now: () => NOW },
    onFault: () => undefined,
  });

  expect(await tidy()).toEqual({ deleted: 3, foreign: 2 });
  expect(deleted).toEqual(['file-0', 'file-2', 'file-3']);
  // What was read goes first: a content that is left is found again.
  expect(order).toEqual(deleted.flatMap((id) => [`reading of ${id}`, `content of ${id}`]));
  expect(asked).toEqual(['a', 'b', 'a', 'gone']);
});
