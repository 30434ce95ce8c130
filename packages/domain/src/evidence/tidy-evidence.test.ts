import { beforeEach, expect, test } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { NOW } from '../../test-support/verifications.ts';
import { thumbnailIdOf } from './evidence-file.ts';
import type { EvidencePlace, EvidenceStore } from './evidence-store.ts';
import { createTidyEvidence } from './tidy-evidence.ts';

/** Verifications whose files were asked for, in order. */
let asked: string[];
/** What was deleted, in order. */
let order: string[];

beforeEach(() => {
  [asked, order] = [[], []];
});

/** The job over contents of verifications that have the file `file-1` alone. There is no verification `gone`. */
function tidying(places: readonly EvidencePlace[]) {
  const store = portWith<EvidenceStore>({
    delete: async ({ fileId }) => void order.push(`content of ${fileId}`),
    async *listWrittenBefore(moment) {
      expect(moment).toEqual(new Date(NOW.getTime() - 60 * 60 * 1000));
      yield* places;
    },
  });
  return createTidyEvidence({
    store,
    fileIdsOf: async ({ verificationId }) => {
      asked.push(verificationId);
      return verificationId === 'gone' ? null : new Set(['file-1']);
    },
    removeReadings: async (removed) => void order.push(...removed.map(({ fileId }) => `reading of ${fileId}`)),
    clock: { now: () => NOW },
    onFault: (fault) => expect.unreachable(String(fault)),
  });
}

const placeOf = (verificationId: string, fileId: string) => ({ clientId: 'client-1', verificationId, fileId });

test('the background job asks once for the files of a verification that come one after another, and deletes their readings first', async () => {
  const places = ['a', 'a', 'b', 'a', 'gone', 'gone'].map((verificationId, index) =>
    placeOf(verificationId, `file-${index}`),
  );
  expect(await tidying(places).tidy()).toEqual({ deleted: 3, foreign: 2 });
  // What was read goes first: a content that is left is found again.
  const deleted = ['file-0', 'file-2', 'file-3'];
  expect(order).toEqual(deleted.flatMap((id) => [`reading of ${id}`, `content of ${id}`]));
  expect(asked).toEqual(['a', 'b', 'a', 'gone']);
});

test('the background job deletes no readings of a thumbnail, which has none', async () => {
  const thumbnail = thumbnailIdOf('file-2');
  expect(await tidying([placeOf('a', thumbnail)]).tidy()).toEqual({ deleted: 1, foreign: 0 });
  expect(order).toEqual([`content of ${thumbnail}`]);
});
