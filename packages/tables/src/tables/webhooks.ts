import { type Attempt, DELIVERY_STATES, type DeliveryEntry } from '@countersign/domain/storage';
import { ENDPOINT_STATES, WEBHOOK_TYPES, type WebhookEndpoint } from '@countersign/domain/webhooks';
import { table, whole } from '../table.ts';

/** Endpoints of clients. The limit of endpoints is a constraint: each has a slot, which each storage adds. */
export const webhookEndpoints = table<WebhookEndpoint>()({
  name: 'webhook_endpoints',
  called: 'webhook endpoint',
  key: ['clientId', 'id'],
  nested: {
    secret: { parts: { value: 'secret', wrappedBy: 'secretWrappedBy' } },
    previousSecret: {
      nullable: true,
      parts: {
        value: 'previousSecret',
        wrappedBy: 'previousSecretWrappedBy',
        validUntil: 'previousSecretValidUntil',
      },
    },
    olderSecret: {
      nullable: true,
      parts: { value: 'olderSecret', wrappedBy: 'olderSecretWrappedBy', validUntil: 'olderSecretValidUntil' },
    },
  },
  columns: {
    clientId: { kind: 'id' },
    id: { kind: 'id' },
    url: { kind: 'text' },
    name: { kind: 'text' },
    types: { kind: 'choices', of: WEBHOOK_TYPES },
    state: { kind: 'choice', of: ENDPOINT_STATES, checked: true },
    since: { kind: 'moment' },
    createdAt: { kind: 'moment' },
    createdBy: { kind: 'text', nullable: true },
    secret: { kind: 'text' },
    secretWrappedBy: { kind: 'text', nullable: true },
    previousSecret: { kind: 'text', nullable: 'group' },
    previousSecretWrappedBy: { kind: 'text', nullable: true },
    previousSecretValidUntil: { kind: 'moment', nullable: 'group' },
    failingSince: { kind: 'moment', nullable: true },
    /** When its next delivery is due, or earlier; null if none waits. */
    dueAt: { kind: 'moment', nullable: true, value: null },
    leaseToken: { kind: 'text', nullable: true, value: null },
    leasedUntil: { kind: 'moment', nullable: true, value: null },
    secretVersion: { kind: 'integer', default: 1 },
    olderSecret: { kind: 'text', nullable: 'group' },
    olderSecretWrappedBy: { kind: 'text', nullable: true },
    olderSecretValidUntil: { kind: 'moment', nullable: 'group' },
  },
  checks: { webhook_endpoints_lease_whole: whole('leaseToken', 'leasedUntil') },
});

/** Events on their way to endpoints, and the log of those that arrived or failed. */
export const webhookDeliveries = table<DeliveryEntry>()({
  name: 'webhook_deliveries',
  called: 'webhook delivery of event',
  key: ['clientId', 'endpointId', 'eventId'],
  columns: {
    clientId: { kind: 'id', value: null },
    endpointId: { kind: 'id' },
    eventId: { kind: 'id' },
    verificationId: { kind: 'id' },
    version: { kind: 'integer' },
    type: { kind: 'choice', of: WEBHOOK_TYPES },
    /** Time of the event. */
    at: { kind: 'moment' },
    state: { kind: 'choice', of: DELIVERY_STATES, checked: true },
    attempts: { kind: 'integer' },
    dueAt: { kind: 'moment', nullable: true },
  },
});

/** Requests to endpoints and their results. */
export const webhookAttempts = table<Attempt>()({
  name: 'webhook_attempts',
  called: 'webhook attempt',
  key: ['clientId', 'endpointId', 'eventId', 'id'],
  columns: {
    clientId: { kind: 'id', value: null },
    endpointId: { kind: 'id', value: null },
    eventId: { kind: 'id', value: null },
    id: { kind: 'id' },
    at: { kind: 'moment' },
    durationMs: { kind: 'number' },
    request: { kind: 'text' },
    /** HTTP status. */
    status: { kind: 'integer', nullable: true },
    response: { kind: 'text', column: 'answer', nullable: true },
    fault: { kind: 'text', nullable: true },
  },
});
