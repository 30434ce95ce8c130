import type { Erasure } from '@countersign/domain/retention';
import { finishedErasuresSuite, noReceiptsSuite, receiptsSuite } from '../../src/suites/retention/receipts.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, retention, toSeconds, uuidOnly } from './patch.ts';

const { erasure, erasures, finish, lastErasure, recordErasure, withoutReceipt } = retention;
const ALL = 1_000_000;

/** Shows receipts with other fields. */
const shows = (change: (receipt: Erasure) => Partial<Erasure>): Break =>
  both(
    erasure.result((receipt) => ({ ...receipt, ...change(receipt) })),
    erasures.result((list) => list.map((receipt) => ({ ...receipt, ...change(receipt) }))),
  );

export const finishedErasuresMutants: readonly Mutant[] = mutantsOf(finishedErasuresSuite, {
  'keeps seconds': finish.override(async ({ next }, place, at) => next(place, toSeconds(at))),
  'ends the schedule with the erasure': retention.find.result((found) =>
    found.erasureNumber === null ? found : { ...found, retentionCheckAt: null },
  ),
  'takes the recorded verification from the schedule': recordErasure.override(
    async ({ next, storage }, receipt) => {
      const { clientId, verificationId } = receipt;
      const expected = await storage.retention.find({ clientId, verificationId });
      const place = { clientId, verificationId };
      if (expected !== null) await storage.retention.schedule({ place, expected, checkAt: null });
      return next(receipt);
    },
  ),
});

export const receiptsMutants: readonly Mutant[] = mutantsOf(receiptsSuite, {
  'ignores the limit': erasures.input(() => ({ limit: ALL })),
  'filters the page by client': erasures.override(async ({ next }, query) =>
    (await next({ ...query, clientId: undefined })).filter(
      ({ clientId }) => query.clientId === undefined || clientId === query.clientId,
    ),
  ),
  'fails on a client that cannot be one': erasures.input(({ clientId }) => ({
    clientId: clientId === undefined ? undefined : uuidOnly(clientId),
  })),
  'shows seconds': shows(({ at }) => ({ at: toSeconds(at) })),
  'returns the numbers with a receipt': withoutReceipt.override(async ({ next }, numbers) => {
    const without = await next(numbers);
    return numbers.filter((number) => !without.includes(number));
  }),
  'sorts the numbers': withoutReceipt.result((numbers) => numbers.toSorted((a, b) => a - b)),
  'looks at a hundred numbers': withoutReceipt.override(async ({ next }, numbers) => next(numbers.slice(0, 100))),
});

export const noReceiptsMutants: readonly Mutant[] = mutantsOf(noReceiptsSuite, {
  'has a number before the first erasure': lastErasure.override(async ({ next }) => (await next()) || Number.NaN),
});
