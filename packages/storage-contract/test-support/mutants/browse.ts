import type { BrowsePosition, BrowseQuery, VerificationRecord } from '@countersign/domain/storage';
import { browseFiltersSuite, browseSuite } from '../../src/suites/browse.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL, sizeMutants, wholePageMutants, withFields } from './pages.ts';
import { type Break, fail, moved, remembering, toSeconds, untilNul, verifications } from './patch.ts';

const { browse } = verifications;

type Compare = (a: BrowsePosition, b: BrowsePosition) => number;

const byMoment: Compare = (a, b) => Number(b.requestedAt) - Number(a.requestedAt);
const byId: Compare = (a, b) => (a.id < b.id ? 1 : -1);
const bySecond: Compare = (a, b) => Number(toSeconds(b.requestedAt)) - Number(toSeconds(a.requestedAt));

/** Chooses the page in another way, from all records that match, the newest first. */
const chooses = (
  choose: (matching: readonly VerificationRecord[], query: BrowseQuery) => readonly VerificationRecord[],
): Break =>
  browse.override(async ({ next }, id, query) => {
    const { records, totalCount } = await next(id, { ...query, after: undefined, limit: ALL });
    return { records: choose(records, query).slice(0, query.limit), totalCount };
  });

/** Begins the page with other records: those that `isLater` than the position asked for. */
const begins = (isLater: (after: BrowsePosition, record: VerificationRecord) => boolean): Break =>
  chooses((records, { after }) => records.filter((record) => after === undefined || isLater(after, record)));

/** Orders records in another way, and begins each page where the last one ended in that order. */
const orders = (compare: Compare): Break =>
  chooses((records, { after }) =>
    [...records].sort(compare).filter((record) => after === undefined || compare(after, record) < 0),
  );

export const browseMutants: readonly Mutant[] = mutantsOf(browseSuite, {
  ...sizeMutants(browse),
  ...wholePageMutants(browse),
  'orders by seconds': orders((a, b) => bySecond(a, b) || byId(a, b)),
  'breaks ties the other way': orders((a, b) => byMoment(a, b) || -byId(a, b)),
  'returns no sandbox outcome': browse.result(withFields({ sandboxOutcome: null })),
  'returns no claims': browse.result(withFields({ claimedBy: null })),
  'starts after the moment of the position': begins((after, record) => byMoment(after, record) < 0),
  'counts no further than asked': browse.result(({ records, totalCount }, _, { countUpTo }) => ({
    records,
    totalCount: Math.min(totalCount, countUpTo ?? totalCount),
  })),
  'keeps the total of the first page': remembering(() => {
    let first: number | undefined;
    return browse.result(({ records, totalCount }, _, { after }) => {
      first = after === undefined ? totalCount : first;
      return { records, totalCount: first ?? totalCount };
    });
  }),
});

/** Finds references by their prefix in another way. */
const finds = (isMatch: (reference: string, prefix: string) => boolean): Break =>
  browse.override(async ({ next }, id, query) => {
    const { subjectReferencePrefix: prefix } = query;
    if (prefix === undefined) return next(id, query);
    const { records } = await next(id, { ...query, subjectReferencePrefix: undefined, limit: ALL });
    const matching = records.filter(({ subjectReference }) => isMatch(subjectReference, prefix));
    return { records: matching.slice(0, query.limit), totalCount: matching.length };
  });

/** Finds references by another text, which both sides are changed to. */
const findsAs = (change: (text: string) => string): Break =>
  finds((reference, prefix) => change(reference).startsWith(change(prefix)));

/** Changes the prefix before the search. */
const looksFor = (change: (prefix: string) => string): Break =>
  finds((reference, prefix) => reference.startsWith(change(prefix)));

/** The end of a range as it is often computed, and wrongly: the prefix with its last UTF-16 unit plus one. */
const successor = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

export const browseFiltersMutants: readonly Mutant[] = mutantsOf(browseFiltersSuite, {
  ...browse.ignoring('status', 'type'),
  'excludes the first moment': browse.input(({ requestedFrom }) => ({
    requestedFrom: requestedFrom && moved(requestedFrom, 1),
  })),
  'includes the last moment': browse.input(({ requestedUntil }) => ({
    requestedUntil: requestedUntil && moved(requestedUntil, 1),
  })),
  'filters by whole seconds': browse.input(({ requestedFrom }) => ({
    requestedFrom: requestedFrom && toSeconds(requestedFrom),
  })),
  'matches without case': findsAs((text) => text.toLowerCase()),
  'matches without case in ASCII': findsAs((text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  'composes accents': findsAs((text) => text.normalize('NFC')),
  'trims the prefix': looksFor((prefix) => prefix.trim()),
  'truncates the prefix at 256 UTF-16 units': looksFor((prefix) => prefix.slice(0, 256)),
  'looks up to the next UTF-16 unit': finds(
    (reference, prefix) => prefix === '' || (reference >= prefix && reference < successor(prefix)),
  ),
  'looks up to the last character of the BMP': finds(
    (reference, prefix) => reference >= prefix && reference <= `${prefix}\uffff` && reference.startsWith(prefix),
  ),
  'truncates the prefix at NUL': looksFor(untilNul),
  'fails on NUL': looksFor((prefix) =>
    prefix.includes('\u0000') ? fail('invalid byte sequence for encoding "UTF8": 0x00') : prefix,
  ),
});
