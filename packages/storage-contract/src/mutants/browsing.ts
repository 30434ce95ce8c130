import type { BrowseQuery, Storage, VerificationRecord, VerificationRepository } from '@countersign/domain';
import { type Mutant, patched } from './mutant.ts';

type Browse = VerificationRepository['browse'];

/** More than any case has. */
const ALL = 1_000;

/** A storage that is looked through in a way of its own, with the sound way at hand. */
export function browsing(
  storage: Storage,
  browse: (next: Browse, ...given: Parameters<Browse>) => ReturnType<Browse>,
): Storage {
  return patched(storage, {
    verifications: { browse: (...given) => browse(storage.verifications.browse, ...given) },
  });
}

/** A mutant that looks for something else than it was asked for. */
export const browsingFor =
  (change: (query: BrowseQuery) => Partial<BrowseQuery>): Mutant['breakIn'] =>
  (storage) =>
    browsing(storage, (next, clientId, query) => next(clientId, { ...query, ...change(query) }));

/** A mutant that changes the page that it found. */
export const browsingInto =
  (
    change: (page: Awaited<ReturnType<Browse>>, query: BrowseQuery) => Awaited<ReturnType<Browse>>,
  ): Mutant['breakIn'] =>
  (storage) =>
    browsing(storage, async (next, clientId, query) => change(await next(clientId, query), query));

/** A mutant that chooses the page from all that match, the newest first, in a way of its own. */
export const paging =
  (
    choose: (matching: readonly VerificationRecord[], query: BrowseQuery) => readonly VerificationRecord[],
  ): Mutant['breakIn'] =>
  (storage) =>
    browsing(storage, async (next, clientId, query) => {
      const { records, totalCount } = await next(clientId, { ...query, after: undefined, limit: ALL });
      return { records: choose(records, query).slice(0, query.limit), totalCount };
    });

/** A mutant that finds references in a way of its own. */
export const beginning =
  (isMatch: (reference: string, prefix: string) => boolean): Mutant['breakIn'] =>
  (storage) =>
    browsing(storage, async (next, clientId, query) => {
      const { subjectReferencePrefix: prefix } = query;
      if (prefix === undefined) return next(clientId, query);
      const everything = { ...query, subjectReferencePrefix: undefined, limit: ALL };
      const { records } = await next(clientId, everything);
      const matching = records.filter(({ subjectReference }) => isMatch(subjectReference, prefix));
      return { records: matching.slice(0, query.limit), totalCount: matching.length };
    });
