import type { VerificationQuery } from '@countersign/domain';
import { listingFiltersSuite } from '../suites/listing-filters.ts';
import { listing } from './around.ts';
import { filtering, isOfKind } from './listings.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

/** Asks for something else than it was asked for. */
const asking =
  (change: (query: VerificationQuery) => Partial<VerificationQuery>): Mutant['breakIn'] =>
  (storage) =>
    listing(storage, (next, clientId, query) => next(clientId, { ...query, ...change(query) }));

/** Compares references in a way of its own. */
const matching = (isMatch: (reference: string, wanted: string) => boolean): Mutant['breakIn'] =>
  filtering((record, query) => {
    const { subjectReference } = query;
    return (
      isOfKind(record, query) &&
      (subjectReference === undefined || isMatch(record.subjectReference, subjectReference))
    );
  });

export const listingFiltersMutants: readonly Mutant[] = mutantsOf(listingFiltersSuite, {
  'lists active ones where no status is asked for': filtering(
    (record, query) => isOfKind(record, query) && (query.status !== undefined || record.resolvedAt === null),
  ),
  'passes over the status': asking(() => ({ status: undefined })),
  'passes over the type': asking(() => ({ type: undefined })),
  'passes over the reference': asking(() => ({ subjectReference: undefined })),
  'lists one of a subject': asking(({ subjectReference }) => (subjectReference === undefined ? {} : { limit: 1 })),
  'lists what any filter lets through': filtering(
    (record, { status, type, subjectReference }) =>
      record.status === status || record.type === type || record.subjectReference === subjectReference,
  ),
  'filters in one order alone': asking(({ sortBy }) => (sortBy === 'requestedAt' ? {} : { status: undefined })),
  'finds references that hold the text': matching((reference, wanted) => reference.includes(wanted)),
  'finds references by pattern': matching((reference, wanted) => {
    const pattern = wanted
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.');
    return new RegExp(`^${pattern}$`, 'su').test(reference);
  }),
  'finds references without regard to case': matching(
    (reference, wanted) => reference.toLowerCase() === wanted.toLowerCase(),
  ),
  'finds references without regard to space': matching((reference, wanted) => reference.trim() === wanted.trim()),
  'takes an empty reference for none': asking(({ subjectReference }) => ({
    subjectReference: subjectReference || undefined,
  })),
  'fails where nothing matches': (storage) =>
    listing(storage, async (next, ...given) => {
      const page = await next(...given);
      if (page.totalCount === 0) throw new Error('no rows');
      return page;
    }),
});
