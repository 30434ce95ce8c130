import { returnAddressesSuite } from '../../src/suites/return-addresses.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { clients, untilNul, uuidOnly, verifications } from './patch.ts';

const { create, setReturnAddresses } = clients;
const { createCharged, findWithEventsForAnyClient } = verifications;

export const returnAddressesMutants: readonly Mutant[] = mutantsOf(returnAddressesSuite, {
  'creates clients without return addresses': create.input(({ client }) => ({
    client: { ...client, returnAddresses: [] },
  })),
  'lists clients without return addresses': clients.list.result((entries) =>
    entries.map((entry) => ({ ...entry, client: { ...entry.client, returnAddresses: [] } })),
  ),
  'truncates a long list': setReturnAddresses.override(({ next }, id, addresses) =>
    next(id, addresses.slice(0, 10)),
  ),
  'truncates long addresses': setReturnAddresses.override(({ next }, id, addresses) =>
    next(
      id,
      addresses.map((address) => address.slice(0, 255)),
    ),
  ),
  'fails on an id that is not a UUID': setReturnAddresses.first(uuidOnly),
  'truncates ids at NUL': setReturnAddresses.first(untilNul),
  'drops the return URL': createCharged.input(({ record }) => ({ record: { ...record, returnUrl: null } })),
  'drops the locale': createCharged.input(({ record }) => ({ record: { ...record, locale: null } })),
  'drops the return URL with the first change': findWithEventsForAnyClient.result((found) =>
    found.record.version === 1 ? found : { ...found, record: { ...found.record, returnUrl: null } },
  ),
  'drops the locale with the first change': findWithEventsForAnyClient.result((found) =>
    found.record.version === 1 ? found : { ...found, record: { ...found.record, locale: null } },
  ),
});
