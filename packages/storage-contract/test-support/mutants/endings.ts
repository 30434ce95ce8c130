import type { Storage } from '@countersign/domain/storage';
import { endingsSuite } from '../../src/suites/endings.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { type Break, fail, verifications } from './patch.ts';

const { findEndings } = verifications;

type Asked = Parameters<Storage['verifications']['findEndings']>[0][number];

/** Asks for others than those that the caller asks for. */
const asks = (change: (asked: readonly Asked[], storage: Storage) => Promise<readonly Asked[]>): Break =>
  findEndings.override(async ({ next, storage }, asked) => next(await change(asked, storage)));

/** Takes every verification of a status for a withdrawn one. */
const takesForWithdrawn = (status: string): Break =>
  findEndings.override(async ({ next, storage }, asked) => {
    const found = new Map(await next(asked));
    for (const { clientId, verificationId } of asked) {
      const record = await storage.verifications.find(clientId, verificationId);
      if (record?.status === status && !found.has(verificationId)) found.set(verificationId, 'withdrawn');
    }
    return found;
  });

export const endingsMutants: readonly Mutant[] = mutantsOf(endingsSuite, {
  'takes rejected verifications for withdrawn ones': takesForWithdrawn('rejected'),
  'takes open verifications for withdrawn ones': takesForWithdrawn('pending'),
  'takes approved verifications for withdrawn ones': takesForWithdrawn('approved'),
  'returns one of each verification of the client': asks(async (asked, { verifications: { list } }) => {
    const [first] = asked;
    if (first === undefined) return asked;
    const all = { status: undefined, type: undefined, subjectReference: undefined, offset: 0, limit: 100 };
    const { records } = await list(first.clientId, { ...all, sortBy: 'requestedAt', sortOrder: 'asc' });
    return [...asked, ...records.map(({ clientId, id }) => ({ clientId, verificationId: id }))];
  }),
  'ignores the client': asks(async (asked, { verifications: { clientOf } }) =>
    Promise.all(
      asked.map(async (one) => ({ ...one, clientId: (await clientOf(one.verificationId)) ?? one.clientId })),
    ),
  ),
  'reads the client of the first only': asks(async (asked) =>
    asked.map((one) => ({ ...one, clientId: asked[0]?.clientId ?? one.clientId })),
  ),
  'fails without any': findEndings.override(({ next }, asked) =>
    asked.length === 0 ? fail('syntax error at or near ")"') : next(asked),
  ),
  'fails on a text that is no id': findEndings.override(({ next }, asked) =>
    asked.some(({ clientId, verificationId }) => [clientId, verificationId].includes('not-an-id'))
      ? fail('invalid input syntax for type uuid')
      : next(asked),
  ),
});
