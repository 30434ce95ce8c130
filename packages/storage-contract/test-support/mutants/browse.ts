import type { BrowsePosition, BrowseQuery, VerificationRecord } from '@countersign/domain';
import { clientId } from '../../src/records/ids.ts';
import { browseFiltersSuite, browseSuite } from '../../src/suites/browse.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  ALL,
  countLater,
  countNothingPastTheEnd,
  countOther,
  countPage,
  failWhenEmpty,
  joined,
  withFields,
} from './pages.ts';
import { answers, asks, type Break, fail, moved, on, remembering, toSeconds } from './patch.ts';

type Compare = (a: BrowsePosition, b: BrowsePosition) => number;

const byMoment: Compare = (a, b) => Number(b.requestedAt) - Number(a.requestedAt);
const byId: Compare = (a, b) => (a.id < b.id ? 1 : -1);
const bySecond: Compare = (a, b) => Number(toSeconds(b.requestedAt)) - Number(toSeconds(a.requestedAt));

/** Chooses the page in another way, from all records that match, the newest first. */
const chooses = (
  choose: (matching: readonly VerificationRecord[], query: BrowseQuery) => readonly VerificationRecord[],
): Break =>
  on('verifications.browse')(async ({ next }, id, query) => {
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

const firstThree = [1, 2, 3].map(clientId);

export const browseMutants: readonly Mutant[] = mutantsOf(browseSuite, {
  'fails where nothing is': answers('verifications.browse')(failWhenEmpty),
  'begins with the oldest': orders((a, b) => -(byMoment(a, b) || byId(a, b))),
  'orders by seconds': orders((a, b) => bySecond(a, b) || byId(a, b)),
  'breaks ties the other way': orders((a, b) => byMoment(a, b) || -byId(a, b)),
  'orders by the id alone': orders(byId),
  'has records without metadata': answers('verifications.browse')(withFields({ metadata: {} })),
  'has records without their sandbox': answers('verifications.browse')(withFields({ sandboxOutcome: null })),
  'has records without their claims': answers('verifications.browse')(withFields({ claimedBy: null })),
  'has other answers than are stored': answers('verifications.browse')(withFields({ answers: { steps: {} } })),
  'holds one too many': asks('verifications.browse')(({ limit }) => ({ limit: limit + 1 })),
  'begins with the first one always': asks('verifications.browse')(() => ({ after: undefined })),
  'begins with the position itself': begins(
    (after, record) => record.id === after.id || (byMoment(after, record) || byId(after, record)) < 0,
  ),
  'begins after the moment': begins((after, record) => byMoment(after, record) < 0),
  'begins at the moment': begins((after, record) => byMoment(after, record) <= 0),
  'begins after what is less in both': begins(
    (after, record) => byMoment(after, record) <= 0 && byId(after, record) < 0,
  ),
  'looks for the verification of the position': chooses((records, { after }) =>
    after === undefined ? records : records.slice(records.findIndex(({ id }) => id === after.id) + 1),
  ),
  'counts from the position on': on('verifications.browse')(async ({ next }, id, query) =>
    countOther(next(id, query), next(id, { ...query, limit: ALL }).then(countPage)),
  ),
  'counts nothing past the end': answers('verifications.browse')(countNothingPastTheEnd),
  'counts without the filters': on('verifications.browse')(({ next }, id, query) =>
    countOther(next(id, query), next(id, { ...query, type: undefined })),
  ),
  'pages by offset': remembering(() => {
    let offset = 0;
    return chooses((records, { after, limit }) => {
      offset = after === undefined ? 0 : offset + limit;
      return records.slice(offset);
    });
  }),
  'keeps the total of the first page': remembering(() => {
    let first: number | undefined;
    return answers('verifications.browse')(({ records, totalCount }, _, { after }) => {
      first = after === undefined ? totalCount : first;
      return { records, totalCount: first ?? totalCount };
    });
  }),
  'looks through all clients’': on('verifications.browse')(({ next }, _, query) =>
    joined(firstThree.map((id) => next(id, query))),
  ),
  'counts all clients’': on('verifications.browse')(({ next }, own, query) =>
    countOther(next(own, query), joined(firstThree.map((id) => next(id, query)))),
  ),
  'reads the page first and counts later': on('verifications.browse')(({ next }, id, query) =>
    countLater(() => next(id, query)),
  ),
});

/** Finds references by their prefix in another way. */
const finds = (isMatch: (reference: string, prefix: string) => boolean): Break =>
  on('verifications.browse')(async ({ next }, id, query) => {
    const { subjectReferencePrefix: prefix } = query;
    if (prefix === undefined) return next(id, query);
    const { records } = await next(id, { ...query, subjectReferencePrefix: undefined, limit: ALL });
    const matching = records.filter(({ subjectReference }) => isMatch(subjectReference, prefix));
    return { records: matching.slice(0, query.limit), totalCount: matching.length };
  });

/** Finds references by another text, which both sides are changed to. */
const findsAs = (change: (text: string) => string): Break =>
  finds((reference, prefix) => change(reference).startsWith(change(prefix)));

/** Looks for another prefix than was given. */
const looksFor = (change: (prefix: string) => string): Break =>
  finds((reference, prefix) => reference.startsWith(change(prefix)));

/** A regular expression from a pattern of another kind. */
const expression = (pattern: string, wildcards: Readonly<Record<string, string>>): RegExp => {
  const escaped = [...pattern].map((each) => wildcards[each] ?? each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('')}`, 'su');
};

/** The least text after all that begin with the prefix, as it is often made: the last UTF-16 unit and one. */
const successor = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

export const browseFiltersMutants: readonly Mutant[] = mutantsOf(browseFiltersSuite, {
  'passes over the status': asks('verifications.browse')(() => ({ status: undefined })),
  'passes over the type': asks('verifications.browse')(() => ({ type: undefined })),
  'passes over what the reference begins with': asks('verifications.browse')(() => ({
    subjectReferencePrefix: undefined,
  })),
  'passes over from when': asks('verifications.browse')(() => ({ requestedFrom: undefined })),
  'passes over until when': asks('verifications.browse')(() => ({ requestedUntil: undefined })),
  'begins after the moment': asks('verifications.browse')(({ requestedFrom }) => ({
    requestedFrom: requestedFrom && moved(requestedFrom, 1),
  })),
  'ends with the moment': asks('verifications.browse')(({ requestedUntil }) => ({
    requestedUntil: requestedUntil && moved(requestedUntil, 1),
  })),
  'knows seconds alone': asks('verifications.browse')(({ requestedFrom }) => ({
    requestedFrom: requestedFrom && toSeconds(requestedFrom),
  })),
  'takes what ends before it begins for everything': asks('verifications.browse')((query) =>
    query.requestedFrom && query.requestedUntil && query.requestedFrom >= query.requestedUntil
      ? { requestedFrom: undefined, requestedUntil: undefined }
      : {},
  ),
  'finds references by pattern': finds((reference, prefix) =>
    expression(prefix, { '%': '.*', _: '.' }).test(reference),
  ),
  'finds references by glob': finds((reference, prefix) =>
    expression(prefix, { '*': '.*', '?': '.' }).test(reference),
  ),
  'takes a backslash for an escape': looksFor((prefix) => prefix.replace(/\\(.)/g, '$1')),
  'drops a backslash at the end': looksFor((prefix) => prefix.replace(/\\$/, '')),
  'finds without regard to case': findsAs((text) => text.toLowerCase()),
  'finds without regard to case in ASCII': findsAs((text) =>
    text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ),
  'composes accents': findsAs((text) => text.normalize('NFC')),
  'finds what holds the text': finds((reference, prefix) => reference.includes(prefix)),
  'finds the whole reference alone': finds((reference, prefix) => reference === prefix),
  'does not find the whole reference': finds(
    (reference, prefix) => reference !== prefix && reference.startsWith(prefix),
  ),
  'trims what is looked for': looksFor((prefix) => prefix.trim()),
  'looks for 256 UTF-16 units at most': looksFor((prefix) => prefix.slice(0, 256)),
  'looks between the text and the next one, by UTF-16 unit': finds(
    (reference, prefix) => prefix === '' || (reference >= prefix && reference < successor(prefix)),
  ),
  'looks between the text and the last character of the BMP': finds(
    (reference, prefix) => reference >= prefix && reference <= `${prefix}\uffff` && reference.startsWith(prefix),
  ),
  'takes an empty text for no reference': finds(
    (reference, prefix) => prefix !== '' && reference.startsWith(prefix),
  ),
  'cuts what is looked for at NUL': looksFor((prefix) => prefix.split('\u0000')[0] ?? ''),
  'fails on NUL': looksFor((prefix) =>
    prefix.includes('\u0000') ? fail('invalid byte sequence for encoding "UTF8": 0x00') : prefix,
  ),
  'filters the page and not the whole': on('verifications.browse')(async ({ next }, id, query) => {
    const { records } = await next(id, { ...query, subjectReferencePrefix: undefined });
    const { totalCount } = await next(id, query);
    const prefix = query.subjectReferencePrefix ?? '';
    return { records: records.filter((each) => each.subjectReference.startsWith(prefix)), totalCount };
  }),
});
