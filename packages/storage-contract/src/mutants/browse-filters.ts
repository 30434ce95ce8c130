import { browseFiltersSuite } from '../suites/browse-filters.ts';
import { beginning, browsing, browsingFor } from './browsing.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

const later = (moment: Date | undefined): Date | undefined => moment && new Date(moment.getTime() + 1);

/** A regular expression from a pattern of another kind. */
const expression = (pattern: string, wildcards: Readonly<Record<string, string>>, flags: string): RegExp => {
  const characters = [...pattern].map(
    (character) => wildcards[character] ?? character.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return new RegExp(`^${characters.join('')}`, flags);
};
const LIKE = { '%': '.*', _: '.' };

/** The least text after all that begin with the prefix, as it is often made: the last UTF-16 unit and one. */
const successor = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

export const browseFiltersMutants: readonly Mutant[] = mutantsOf(browseFiltersSuite, {
  'passes over the status': browsingFor(() => ({ status: undefined })),
  'passes over the type': browsingFor(() => ({ type: undefined })),
  'passes over what the reference begins with': browsingFor(() => ({ subjectReferencePrefix: undefined })),
  'passes over from when': browsingFor(() => ({ requestedFrom: undefined })),
  'passes over until when': browsingFor(() => ({ requestedUntil: undefined })),
  'begins after the moment': browsingFor(({ requestedFrom }) => ({ requestedFrom: later(requestedFrom) })),
  'ends with the moment': browsingFor(({ requestedUntil }) => ({ requestedUntil: later(requestedUntil) })),
  'knows seconds alone': browsingFor(({ requestedFrom }) => ({
    requestedFrom: requestedFrom && new Date(Math.floor(Number(requestedFrom) / 1_000) * 1_000),
  })),
  'takes what ends before it begins for everything': browsingFor(({ requestedFrom, requestedUntil }) =>
    requestedFrom !== undefined && requestedUntil !== undefined && requestedFrom >= requestedUntil
      ? { requestedFrom: undefined, requestedUntil: undefined }
      : {},
  ),
  'finds references by pattern': beginning((reference, prefix) => expression(prefix, LIKE, 'su').test(reference)),
  'finds references by glob': beginning((reference, prefix) =>
    expression(prefix, { '*': '.*', '?': '.' }, 'su').test(reference),
  ),
  'takes a backslash for an escape': beginning((reference, prefix) =>
    reference.startsWith(prefix.replace(/\\(.)/g, '$1')),
  ),
  'drops a backslash at the end': beginning((reference, prefix) =>
    reference.startsWith(prefix.replace(/\\$/, '')),
  ),
  'finds without regard to case': beginning((reference, prefix) =>
    reference.toLowerCase().startsWith(prefix.toLowerCase()),
  ),
  'finds without regard to case in ASCII': beginning((reference, prefix) => {
    const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    return folded(reference).startsWith(folded(prefix));
  }),
  'composes accents': beginning((reference, prefix) =>
    reference.normalize('NFC').startsWith(prefix.normalize('NFC')),
  ),
  'finds what holds the text': beginning((reference, prefix) => reference.includes(prefix)),
  'finds the whole reference alone': beginning((reference, prefix) => reference === prefix),
  'does not find the whole reference': beginning(
    (reference, prefix) => reference !== prefix && reference.startsWith(prefix),
  ),
  'trims what is looked for': beginning((reference, prefix) => reference.startsWith(prefix.trim())),
  'looks for 256 UTF-16 units at most': beginning((reference, prefix) =>
    reference.startsWith(prefix.slice(0, 256)),
  ),
  'looks between the text and the next one, by UTF-16 unit': beginning(
    (reference, prefix) => prefix === '' || (reference >= prefix && reference < successor(prefix)),
  ),
  'looks between the text and the last character of the BMP': beginning(
    (reference, prefix) => reference >= prefix && reference <= `${prefix}\uffff` && reference.startsWith(prefix),
  ),
  'takes an empty text for no reference': beginning(
    (reference, prefix) => prefix !== '' && reference.startsWith(prefix),
  ),
  'cuts what is looked for at NUL': beginning((reference, prefix) =>
    reference.startsWith(prefix.split('\u0000')[0] ?? ''),
  ),
  'fails on NUL': beginning((reference, prefix) => {
    if (prefix.includes('\u0000')) throw new Error('invalid byte sequence for encoding "UTF8": 0x00');
    return reference.startsWith(prefix);
  }),
  'filters the page and not the whole': (storage) =>
    browsing(storage, async (next, clientId, query) => {
      const { records } = await next(clientId, { ...query, subjectReferencePrefix: undefined });
      const { totalCount } = await next(clientId, query);
      const prefix = query.subjectReferencePrefix ?? '';
      return { records: records.filter((each) => each.subjectReference.startsWith(prefix)), totalCount };
    }),
});
