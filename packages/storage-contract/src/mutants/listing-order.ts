import { SORT_FIELDS, type SortField, type VerificationQuery } from '@countersign/domain';
import { listingOrderSuite } from '../suites/listing-order.ts';
import { byPlace, ordering, orderOf } from './listings.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

/** Broken in the order of one field, sound in all others. */
const inField = (field: SortField, broken: Parameters<typeof orderOf>[1]): Mutant['breakIn'] =>
  ordering((query) => orderOf(query, query.sortBy === field ? broken : {}));

const always = (given: Partial<VerificationQuery>): Mutant['breakIn'] =>
  ordering((query) => orderOf({ ...query, ...given }));

export const listingOrderMutants: readonly Mutant[] = mutantsOf(listingOrderSuite, {
  'always sorts upwards': always({ sortOrder: 'asc' }),
  'always sorts downwards': always({ sortOrder: 'desc' }),
  'always sorts by the moment of the request': always({ sortBy: 'requestedAt' }),
  'puts nulls first': inField('resolvedAt', { nullsFirst: true }),
  'puts nulls first when it sorts downwards': ordering((query) =>
    orderOf(query, { nullsFirst: query.sortOrder === 'desc' }),
  ),
  ...Object.fromEntries(
    SORT_FIELDS.map((field) => [`leaves ties of ${field} as they come`, inField(field, { ties: () => 0 })]),
  ),
  'breaks ties upwards in both directions': ordering((query) =>
    orderOf(query, { ties: (a, b) => (a.id < b.id ? -1 : 1) }),
  ),
  'orders states by their place in an enumeration': inField('status', { text: byPlace }),
  'orders text by UTF-16 unit': ordering((query) =>
    orderOf(query, { text: (a, b) => (a < b ? -1 : Number(a > b)) }),
  ),
  'orders text by language': ordering((query) => orderOf(query, { text: (a, b) => a.localeCompare(b, 'en') })),
  'orders text without regard to case': ordering((query) =>
    orderOf(query, { text: (a, b) => a.toLowerCase().localeCompare(b.toLowerCase()) }),
  ),
  'orders text that looks like numbers as numbers': ordering((query) =>
    orderOf(query, {
      text: (a, b) => Number.parseFloat(a) - Number.parseFloat(b) || (a < b ? -1 : Number(a > b)),
    }),
  ),
});
