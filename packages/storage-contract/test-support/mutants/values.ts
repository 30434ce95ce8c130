import type {
  ApiKey,
  Client,
  ClientWithSubscription,
  Subscription,
  VerificationEvent,
  VerificationRecord,
  WrappedDataKey,
} from '@countersign/domain';
import { inputsSuite, ownValuesSuite } from '../../src/suites/values.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { answers, asks, type Break, both, on, remembering } from './patch.ts';

/** Gives out the first value of each key again, without a copy. */
const sharing = <T>(keyOf: (value: T) => string, patch: (share: (value: T) => T) => Break): Break =>
  remembering(() => {
    const held = new Map<string, T>();
    return patch((value) => {
      held.set(keyOf(value), held.get(keyOf(value)) ?? value);
      return held.get(keyOf(value)) ?? value;
    });
  });

export const ownValuesMutants: readonly Mutant[] = mutantsOf(ownValuesSuite, {
  'keeps the record of a creation itself': remembering(() => {
    const records = new Map<string, VerificationRecord>();
    return both(
      on('verifications.createCharged')(({ next }, request) => {
        records.set(request.record.id, request.record);
        return next(request);
      }),
      answers('verifications.findWithEvents')((found, _, id) => ({
        ...found,
        record: records.get(id) ?? found.record,
      })),
    );
  }),
  'keeps the events of a change themselves': remembering(() => {
    const kept = new Map<number, VerificationEvent>();
    return both(
      on('verifications.commit')(({ next }, change) => {
        for (const event of change.events) kept.set(event.version, event);
        return next(change);
      }),
      answers('verifications.findWithEvents')(({ record, events }) => ({
        record,
        events: events.map((event) => kept.get(event.version) ?? event),
      })),
    );
  }),
  'gives out the metadata that it holds': sharing<VerificationRecord>(
    ({ id, version }) => `${id} ${version}`,
    (share) =>
      both(
        answers('verifications.find')(share),
        answers('verifications.findWithEvents')((found) => ({ ...found, record: share(found.record) })),
      ),
  ),
  'gives out the data keys that it holds': sharing<WrappedDataKey>(
    ({ wrappedBy }) => wrappedBy,
    (share) => answers('dataKeys.find')(share),
  ),
  'gives out the clients that it holds': sharing<ClientWithSubscription>(
    ({ client }) => client.id,
    (share) => answers('clients.list')((entries) => entries.map(share)),
  ),
  'keeps what it gave out of a sandbox': remembering(() => {
    const held = new Map<string, Client>();
    return both(
      answers('clients.setSandbox')((answer) => {
        if (answer.outcome === 'changed') held.set(answer.client.id, answer.client);
        return answer;
      }),
      answers('clients.list')((entries) =>
        entries.map((entry) => ({ ...entry, client: held.get(entry.client.id) ?? entry.client })),
      ),
    );
  }),
  'gives out the pages that it holds': sharing<VerificationRecord>(
    ({ id }) => id,
    (share) =>
      both(
        answers('verifications.browse')(({ records, totalCount }) => ({
          records: records.map(share),
          totalCount,
        })),
        answers('verifications.findWithEvents')((found) => ({ ...found, record: share(found.record) })),
      ),
  ),
  'gives out the keys that it holds': sharing<ApiKey>(
    ({ id }) => id,
    (share) => answers('apiKeys.list')((keys) => keys.map(share)),
  ),
  'gives out the subscription that it holds': remembering(() => {
    const held = new Map<string, Subscription | null>();
    return answers('apiKeys.resolve')((resolved) => {
      const subscription = held.get(resolved.key.id) ?? resolved.subscription;
      held.set(resolved.key.id, subscription);
      return { ...resolved, subscription };
    });
  }),
  'gives out the events that it holds': sharing<VerificationEvent>(
    ({ id }) => id,
    (share) =>
      answers('outbox.lease')((leased) => leased.map(({ event, attempt }) => ({ event: share(event), attempt }))),
  ),
  'keeps the end of a lease itself': remembering(() => {
    let held: Date | null = null;
    return asks('outbox.lease')(({ now, until }) => {
      const isOver = held !== null && now >= held;
      held = until;
      return isOver ? { now: new Date(8.64e15) } : {};
    });
  }),
});

export const inputsMutants: readonly Mutant[] = mutantsOf(inputsSuite, {
  'stamps what it is given': on('verifications.createCharged')(({ next }, request) => {
    Object.assign(request.record, { storedAt: new Date(0) });
    return next(request);
  }),
  'changes when a key expires': on('apiKeys.issue')(({ next }, key) => {
    key.expiresAt?.setTime(0);
    return next(key);
  }),
  'changes when a subscription ends': on('clients.changeSubscription')(({ next }, id, change, initial) => {
    initial?.endsAt?.setTime(0);
    return next(id, change, initial);
  }),
  'sorts the data of events': on('verifications.commit')(({ next }, change) => {
    for (const { data } of change.events) if (Array.isArray(data.list)) data.list.sort();
    return next(change);
  }),
  'moves the end of what it looks through': on('verifications.browse')(({ next }, clientId, query) => {
    query.requestedUntil?.setTime(0);
    return next(clientId, query);
  }),
  'trims the names of keys in their place': on('dataKeys.replace')(({ next }, change) => {
    Object.assign(change.next, { wrappedBy: change.next.wrappedBy.trim() });
    return next(change);
  }),
  'moves the end of a lease': on('outbox.lease')(({ next }, request) => {
    request.until.setTime(request.until.getTime() + 1);
    return next(request);
  }),
});
