import type { Erasure } from '@countersign/domain/retention';
import { finishedErasuresSuite, noReceiptsSuite, receiptsSuite } from '../../src/suites/retention/receipts.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, both, moved, remembering, retention, toSeconds, uuidOnly } from './patch.ts';

const { erasure, erasures, finish, lastErasure, recordErasure, withoutReceipt } = retention;
const ALL = 1_000_000;

/** Shows receipts with other fields. */
const shows = (change: (receipt: Erasure) => Partial<Erasure>): Break =>
  both(
    erasure.result((receipt) => ({ ...receipt, ...change(receipt) })),
    erasures.result((list) => list.map((receipt) => ({ ...receipt, ...change(receipt) }))),
  );

/** The last call of `finish` sets the time. */
const lastFinishWins: Break = remembering(() => {
  const times = new Map<number, Date>();
  return both(
    finish.before((place, at) => times.set(place.number, at)),
    shows(({ number, finishedAt }) => ({ finishedAt: times.get(number) ?? finishedAt })),
  );
});

export const finishedErasuresMutants: readonly Mutant[] = mutantsOf(finishedErasuresSuite, {
  'finishes nothing': finish.override(async () => undefined),
  'keeps seconds': finish.override(async ({ next }, place, at) => next(place, toSeconds(at))),
  'sets the time only': remembering(() => {
    let isFinished = false;
    return both(
      finish.override(async ({ next }, ...input) => {
        await next(...input);
        isFinished = true;
      }),
      retention.find.result((found) => (isFinished ? { ...found, retentionCheckAt: found.erasedAt } : found)),
    );
  }),
  'looks at no verification any more': finish.override(async ({ next, storage }, ...input) => {
    await next(...input);
    for (const { clientId, id, ...expected } of await storage.retention.due({
      now: new Date(1e14),
      limit: ALL,
    })) {
      const place = { clientId, verificationId: id };
      await storage.retention.schedule({ place, expected, checkAt: null });
    }
  }),
  'ends the schedule with the erasure': retention.find.result((found) =>
    found.erasureNumber === null ? found : { ...found, retentionCheckAt: null },
  ),
  'sets the time again': lastFinishWins,
  'finishes erasures of any client': finish.override(async ({ next, storage }, place, at) => {
    const receipt = await storage.retention.erasure(place.number);
    return next({ ...place, clientId: receipt?.clientId ?? place.clientId }, at);
  }),
  'finishes the last erasure': finish.override(async ({ next, storage }, place, at) => {
    await next(place, at);
    await next({ ...place, number: await storage.retention.lastErasure() }, at);
  }),
  'fails on a client that cannot be one': finish.override(async ({ next }, place, at) =>
    next({ ...place, clientId: uuidOnly(place.clientId) }, at),
  ),
  'refuses receipts of unknown verifications': recordErasure.override(async ({ next, storage }, receipt) => {
    if ((await storage.verifications.clientOf(receipt.verificationId)) === null) throw new Error('unknown');
    return next(receipt);
  }),
  'refuses receipts of unknown clients': recordErasure.override(async ({ next, storage }, receipt) => {
    if ((await storage.clients.find(receipt.clientId)) === null) throw new Error('unknown');
    return next(receipt);
  }),
  'refuses a number that has a receipt': recordErasure.override(async ({ next, storage }, receipt) => {
    if ((await storage.retention.erasure(receipt.number)) !== null) throw new Error('duplicate');
    return next(receipt);
  }),
  'replaces a receipt': remembering(() => {
    const latest = new Map<number, Erasure>();
    return both(
      recordErasure.before((receipt) => latest.set(receipt.number, receipt)),
      shows(({ number }) => latest.get(number) ?? {}),
    );
  }),
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
  'lists receipts in the order of time of storing': erasures.result((list) => list.toReversed()),
  'ignores the limit': erasures.input(() => ({ limit: ALL })),
  'starts from the first each time': erasures.input(() => ({ after: 0 })),
  'repeats the last receipt of a page': erasures.input(({ after }) => ({ after: after - 1 })),
  ...erasures.ignoring('clientId', 'from', 'until'),
  'filters the page by client': erasures.override(async ({ next }, query) =>
    (await next({ ...query, clientId: undefined })).filter(
      ({ clientId }) => query.clientId === undefined || clientId === query.clientId,
    ),
  ),
  'fails on a client that cannot be one': erasures.input(({ clientId }) => ({
    clientId: clientId === undefined ? undefined : uuidOnly(clientId),
  })),
  'leaves out the first moment': erasures.input(({ from }) => ({ from: from && moved(from, 1) })),
  'includes the last moment': erasures.input(({ until }) => ({ until: until && moved(until, 1) })),
  'shows seconds': shows(({ at }) => ({ at: toSeconds(at) })),
  'finds the next receipt': erasure.override(async ({ storage }, number) => {
    const [next] = await storage.retention.erasures({ after: number - 1, limit: 1 });
    return next ?? null;
  }),
  'counts receipts': lastErasure.override(
    async ({ storage }) => (await storage.retention.erasures({ after: 0, limit: ALL })).length,
  ),
  'returns the numbers with a receipt': withoutReceipt.override(async ({ next }, numbers) => {
    const without = await next(numbers);
    return numbers.filter((number) => !without.includes(number));
  }),
  'sorts the numbers': withoutReceipt.result((numbers) => numbers.toSorted((a, b) => a - b)),
  'looks at a hundred numbers': withoutReceipt.override(async ({ next }, numbers) => next(numbers.slice(0, 100))),
});

export const noReceiptsMutants: readonly Mutant[] = mutantsOf(noReceiptsSuite, {
  'has a number before the first erasure': lastErasure.override(async ({ next }) => (await next()) || Number.NaN),
  'begins at one': lastErasure.override(async ({ next }) => Math.max(1, await next())),
});
