import { inputsSuite } from '../suites/inputs.ts';
import { replacing } from './around.ts';
import { browsing } from './browsing.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const inputsMutants: readonly Mutant[] = mutantsOf(inputsSuite, {
  'stamps what it is given': (storage) =>
    patched(storage, {
      verifications: {
        createCharged: (request) => {
          Object.assign(request.record, { storedAt: new Date(0) });
          return storage.verifications.createCharged(request);
        },
      },
    }),
  'changes when a key expires': (storage) =>
    patched(storage, {
      apiKeys: {
        issue: (key) => {
          key.expiresAt?.setTime(0);
          return storage.apiKeys.issue(key);
        },
      },
    }),
  'changes when a subscription ends': (storage) =>
    patched(storage, {
      clients: {
        changeSubscription: (id, change, initial) => {
          initial?.endsAt?.setTime(0);
          return storage.clients.changeSubscription(id, change, initial);
        },
      },
    }),
  'sorts the data of events': (storage) =>
    patched(storage, {
      verifications: {
        commit: (change) => {
          for (const { data } of change.events) if (Array.isArray(data.list)) data.list.sort();
          return storage.verifications.commit(change);
        },
      },
    }),
  'moves the end of what it looks through': (storage) =>
    browsing(storage, (next, clientId, query) => {
      query.requestedUntil?.setTime(0);
      return next(clientId, query);
    }),
  'trims the names of keys in their place': (storage) =>
    replacing(storage, (next, change) => {
      Object.assign(change.next, { wrappedBy: change.next.wrappedBy.trim() });
      return next(change);
    }),
  'moves the end of a lease': (storage) =>
    patched(storage, {
      outbox: {
        lease: (request) => {
          request.until.setTime(request.until.getTime() + 1);
          return storage.outbox.lease(request);
        },
      },
    }),
});
