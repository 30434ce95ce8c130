import type { DataKeyRepository, Storage } from '@countersign/domain';
import { clientId } from '../records/ids.ts';
import { dataKeyListsSuite } from '../suites/data-key-lists.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

type List = DataKeyRepository['listNotWrappedBy'];
type Entries = Awaited<ReturnType<List>>;

export const dataKeyListsMutants: readonly Mutant[] = mutantsOf(dataKeyListsSuite, {
  'fails where there is nothing': (storage) =>
    listing(storage, async (next, ...given) => {
      const page = await next(...given);
      if (page.length === 0) throw new Error('no rows');
      return page;
    }),
  'lists what this key has wrapped': (storage) =>
    listing(storage, async (next, key, after, limit) =>
      (await next('', after, 100)).filter(({ dataKey }) => dataKey.wrappedBy === key).slice(0, limit),
    ),
  'lists all of them': (storage) => listing(storage, (next, _, after, limit) => next('', after, limit)),
  'lists the first client’s alone': (storage) =>
    listing(storage, async (next, ...given) =>
      (await next(...given)).filter((entry) => entry.clientId === clientId(1)),
    ),
  'counts without regard to case': (storage) =>
    patched(storage, {
      dataKeys: { countNotWrappedBy: (key) => storage.dataKeys.countNotWrappedBy(key.toLowerCase()) },
    }),
  'counts verifications without one': (storage) =>
    patched(storage, {
      dataKeys: {
        countNotWrappedBy: async (key) => (await storage.dataKeys.countNotWrappedBy(key)) + 1,
      },
    }),
  'orders by client': (storage) =>
    listing(storage, async (next, key, after, limit) =>
      [...(await next(key, after, 100))].sort((a, b) => (a.clientId < b.clientId ? -1 : 1)).slice(0, limit),
    ),
  'begins with the one it is to go on after': (storage) =>
    listing(storage, async (next, key, after, limit) => {
      const all = await next(key, null, 100);
      return all.filter(({ verificationId }) => after === null || verificationId >= after).slice(0, limit);
    }),
  'begins anew every time': (storage) => listing(storage, (next, key, _, limit) => next(key, null, limit)),
  'goes on only after one that it lists': (storage) =>
    listing(storage, async (next, key, after, limit) => {
      const all: Entries = await next(key, null, 100);
      const place = all.findIndex(({ verificationId }) => verificationId === after);
      return place === -1 && after !== null ? [] : all.slice(place + 1, place + 1 + limit);
    }),
  'passes over the limit': (storage) => listing(storage, (next, key, after) => next(key, after, 100)),
  'remembers its count': (storage) => {
    const remembered = new Map<string, number>();
    return patched(storage, {
      dataKeys: {
        countNotWrappedBy: async (key) => {
          remembered.set(key, remembered.get(key) ?? (await storage.dataKeys.countNotWrappedBy(key)));
          return remembered.get(key) ?? 0;
        },
      },
    });
  },
});

function listing(storage: Storage, list: (next: List, ...given: Parameters<List>) => ReturnType<List>): Storage {
  const { listNotWrappedBy: next } = storage.dataKeys;
  return patched(storage, { dataKeys: { listNotWrappedBy: (...given) => list(next, ...given) } });
}
