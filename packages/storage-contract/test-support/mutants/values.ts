import type { ApiKey, VerificationEvent } from '@countersign/domain';
import type { Client, ClientWithSubscription, Subscription } from '@countersign/domain/clients';
import type { EndpointChange, VerificationRecord, WrappedDataKey } from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { inputsSuite, ownValuesSuite } from '../../src/suites/values.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  apiKeys,
  type Break,
  both,
  clients,
  counters,
  dataKeys,
  remembering,
  verifications,
  webhooks,
} from './patch.ts';

const { findWithEventsForAnyClient } = verifications;
const { due, leaseEndpoints } = webhooks;

/** Returns the first value of each key again, without a copy. */
const sharing = <T>(keyOf: (value: T) => string, patch: (share: (value: T) => T) => Break): Break =>
  remembering(() => {
    const held = new Map<string, T>();
    return patch((value) => {
      held.set(keyOf(value), held.get(keyOf(value)) ?? value);
      return held.get(keyOf(value)) ?? value;
    });
  });

export const ownValuesMutants: readonly Mutant[] = mutantsOf(ownValuesSuite, {
  'stores the given record without a copy': remembering(() => {
    const records = new Map<string, VerificationRecord>();
    return both(
      verifications.createCharged.before((request) => records.set(request.record.id, request.record)),
      findWithEventsForAnyClient.result((found, id) => ({ ...found, record: records.get(id) ?? found.record })),
    );
  }),
  'stores the given events without a copy': remembering(() => {
    const kept = new Map<number, VerificationEvent>();
    return both(
      verifications.commit.before((change) => {
        for (const event of change.events) kept.set(event.version, event);
      }),
      findWithEventsForAnyClient.result(({ record, events }) => ({
        record,
        events: events.map((event) => kept.get(event.version) ?? event),
      })),
    );
  }),
  'returns its own metadata without a copy': sharing<VerificationRecord>(
    ({ id, version }) => `${id} ${version}`,
    (share) =>
      both(
        verifications.find.result(share),
        findWithEventsForAnyClient.result((found) => ({ ...found, record: share(found.record) })),
      ),
  ),
  'returns its own data keys without a copy': sharing<WrappedDataKey>(
    ({ wrappedBy }) => wrappedBy,
    (share) => dataKeys.find.result(share),
  ),
  'returns its own clients without a copy': sharing<ClientWithSubscription>(
    ({ client }) => client.id,
    (share) => clients.list.result((entries) => entries.map(share)),
  ),
  'stores the client that setFileAccess returns without a copy': remembering(() => {
    const held = new Map<string, Client>();
    return both(
      clients.setFileAccess.after((answer) => {
        if (answer.outcome === 'changed') held.set(answer.client.id, answer.client);
      }),
      clients.list.result((entries) =>
        entries.map((entry) => ({ ...entry, client: held.get(entry.client.id) ?? entry.client })),
      ),
    );
  }),
  'stores given return addresses without a copy': remembering(() => {
    const held = new Map<string, readonly string[]>();
    return both(
      clients.setReturnAddresses.before((id, addresses) => held.set(id, addresses)),
      clients.list.result((entries) =>
        entries.map(({ client, subscription }) => ({
          client: { ...client, returnAddresses: held.get(client.id) ?? client.returnAddresses },
          subscription,
        })),
      ),
    );
  }),
  'returns its own pages without a copy': sharing<VerificationRecord>(
    ({ id }) => id,
    (share) =>
      both(
        verifications.browse.result(({ records, totalCount }) => ({ records: records.map(share), totalCount })),
        findWithEventsForAnyClient.result((found) => ({ ...found, record: share(found.record) })),
      ),
  ),
  'returns its own keys without a copy': sharing<ApiKey>(
    ({ id }) => id,
    (share) => apiKeys.list.result((keys) => keys.map(share)),
  ),
  'returns its own subscription without a copy': remembering(() => {
    const held = new Map<string, Subscription | null>();
    return apiKeys.resolve.result((resolved) => {
      const subscription = held.get(resolved.key.id) ?? resolved.subscription;
      held.set(resolved.key.id, subscription);
      return { ...resolved, subscription };
    });
  }),
  'returns its own events without a copy': sharing<VerificationEvent>(
    ({ id }) => id,
    (share) =>
      due.result((deliveries) => deliveries.map(({ event, attempts }) => ({ event: share(event), attempts }))),
  ),
  'stores the given fields of an endpoint without a copy': remembering(() => {
    const held = new Map<string, EndpointChange>();
    return both(
      webhooks.change.before((_, endpointId, change) => held.set(endpointId, change)),
      webhooks.list.result((endpoints) => endpoints.map((one) => ({ ...one, ...held.get(one.id) }))),
    );
  }),
  'returns its own endpoint from a change without a copy': remembering(() => {
    const held = new Map<string, WebhookEndpoint>();
    return both(
      webhooks.change.after((answer) => {
        if (answer.outcome === 'changed') held.set(answer.endpoint.id, answer.endpoint);
      }),
      webhooks.list.result((endpoints) => endpoints.map((one) => held.get(one.id) ?? one)),
    );
  }),
  'stores the end of a lease without a copy': remembering(() => {
    let held: Date | null = null;
    return leaseEndpoints.input(({ now, until }) => {
      const isOver = held !== null && now >= held;
      held = until;
      return isOver ? { now: new Date(8.64e15) } : {};
    });
  }),
});

export const inputsMutants: readonly Mutant[] = mutantsOf(inputsSuite, {
  'adds a field to a given record': verifications.createCharged.before((request) =>
    Object.assign(request.record, { storedAt: new Date(0) }),
  ),
  'changes the expiry of a given key': apiKeys.issue.before((key) => key.expiresAt?.setTime(0)),
  'sorts the data of given events': verifications.commit.before((change) => {
    for (const { data } of change.events) if (Array.isArray(data.list)) data.list.sort();
  }),
  'changes the end of a given query': verifications.browse.before((_, query) => query.requestedUntil?.setTime(0)),
  'trims the name in a given data key': dataKeys.replace.override(({ next }, change) => {
    Object.assign(change.next, { wrappedBy: change.next.wrappedBy.trim() });
    return next(change);
  }),
  'adds a field to a given key of counts': counters.recount.before((key) => Object.assign(key, { mended: true })),
  'changes the end of a given lease': leaseEndpoints.before((request) =>
    request.until.setTime(request.until.getTime() + 1),
  ),
});
