import { shortReference } from '@countersign/domain';
import type { VerificationRecord } from '@countersign/domain/storage';
import { clientId } from '../../src/records/ids.ts';
import { shortReferencesSuite } from '../../src/suites/short-references.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL, verificationsOf } from './pages.ts';
import { type Break, fail, toSeconds, verifications } from './patch.ts';

const { findByShortReference } = verifications;

/** Finds verifications in another way, of one client or both. */
const finds = (isMatch: (id: string, reference: string) => boolean): Break =>
  findByShortReference.override(async ({ storage }, { reference, clientId: asked, limit }) => {
    const of = await Promise.all([1, 2].map((n) => verificationsOf(storage, clientId(n))));
    return of
      .flat()
      .filter((record) => asked === undefined || record.clientId === asked)
      .filter(({ id }) => isMatch(id, reference))
      .sort(newestFirst((moment) => moment))
      .slice(0, limit);
  });

const newestFirst =
  (read: (moment: Date) => Date) =>
  (a: VerificationRecord, b: VerificationRecord): number =>
    Number(read(b.requestedAt)) - Number(read(a.requestedAt)) || (a.id < b.id ? 1 : -1);

/** Orders all that match in another way. */
const orders = (compare: (a: VerificationRecord, b: VerificationRecord) => number): Break =>
  findByShortReference.override(async ({ next }, request) =>
    [...(await next({ ...request, limit: ALL }))].sort(compare).slice(0, request.limit),
  );

/** Leaves out some of what is found. */
const leavesOut = (isLeftOut: (record: VerificationRecord) => boolean): Break =>
  findByShortReference.result((found) => found.filter((record) => !isLeftOut(record)));

export const shortReferencesMutants: readonly Mutant[] = mutantsOf(shortReferencesSuite, {
  ...findByShortReference.ignoring('clientId'),
  'finds nothing without a client': findByShortReference.override(async ({ next }, request) =>
    request.clientId === undefined ? [] : next(request),
  ),
  'fails on an unknown client': findByShortReference.override(({ next }, request) =>
    request.clientId === 'no-client' ? fail('invalid input syntax for type uuid') : next(request),
  ),
  'orders by seconds': orders(newestFirst(toSeconds)),
  'takes the id for a reference': finds((id, reference) => id === reference || shortReference(id) === reference),
  'reads references as people write them': finds(
    (id, reference) => shortReference(id).replace('-', '') === reference.replace('-', '').toUpperCase(),
  ),
  'matches the last characters of the id only': finds(
    (id, reference) =>
      shortReference(`01993d4c-5${id.slice(10)}`) === reference || shortReference(id) === reference,
  ),
  'leaves out the last id of a range': leavesOut(({ id }) => id.startsWith('ffffffff')),
  'leaves out the first id of a range': leavesOut(({ id }) => id.startsWith('00000000')),
  'leaves out decided verifications': leavesOut(
    ({ resolvedAt, erasureNumber }) => resolvedAt !== null && erasureNumber === null,
  ),
  'returns no metadata': findByShortReference.result((found) =>
    found.map((record) => ({ ...record, metadata: {} })),
  ),
});
