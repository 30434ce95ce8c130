import {
  type Attempt,
  DELIVERY_STATES,
  type DeliveryEntry,
  type EndpointChange,
  parseEnum,
  parseRow,
} from '@countersign/domain/storage';
import {
  ENDPOINT_STATES,
  type ReplacedSecret,
  WEBHOOK_TYPES,
  type WebhookEndpoint,
} from '@countersign/domain/webhooks';
import type { webhookAttempts, webhookDeliveries, webhookEndpoints } from '../webhook-tables.ts';
import { parseDate, parseDateOrNull, parseJsonArray } from './parse-row.ts';

type EndpointRow = typeof webhookEndpoints.$inferSelect;
type DeliveryRow = typeof webhookDeliveries.$inferSelect;
type AttemptRow = typeof webhookAttempts.$inferSelect;

/** A new endpoint, for which nothing waits. The statement chooses its slot. */
export function toEndpointRow(endpoint: WebhookEndpoint): Omit<EndpointRow, 'slot'> {
  const { id, clientId, url, name, types, state, createdBy, secretVersion } = endpoint;
  return {
    id,
    clientId,
    url,
    name,
    types: JSON.stringify(types),
    state,
    since: endpoint.since.getTime(),
    createdAt: endpoint.createdAt.getTime(),
    createdBy,
    ...secretColumns(endpoint.secret),
    secretVersion,
    ...previousSecretColumns(endpoint.previousSecret),
    ...olderSecretColumns(endpoint.olderSecret),
    failingSince: endpoint.failingSince?.getTime() ?? null,
    dueAt: null,
    leaseToken: null,
    leasedUntil: null,
  };
}

/** The columns that a change sets. */
export function toChangedColumns(change: EndpointChange): Partial<EndpointRow> {
  const { types, since, secret, previousSecret, olderSecret, failingSince, ...asGiven } = change;
  return {
    ...Object.fromEntries(Object.entries(asGiven).filter(([, value]) => value !== undefined)),
    ...(types !== undefined && { types: JSON.stringify(types) }),
    ...(since !== undefined && { since: since.getTime() }),
    ...(secret !== undefined && secretColumns(secret)),
    ...(previousSecret !== undefined && previousSecretColumns(previousSecret)),
    ...(olderSecret !== undefined && olderSecretColumns(olderSecret)),
    ...(failingSince !== undefined && { failingSince: failingSince?.getTime() ?? null }),
  };
}

function secretColumns({ value, wrappedBy }: WebhookEndpoint['secret']) {
  return { secret: value, secretWrappedBy: wrappedBy };
}

function previousSecretColumns(previous: ReplacedSecret | null) {
  return {
    previousSecret: previous?.value ?? null,
    previousSecretWrappedBy: previous?.wrappedBy ?? null,
    previousSecretValidUntil: previous?.validUntil.getTime() ?? null,
  };
}

function olderSecretColumns(older: ReplacedSecret | null) {
  return {
    olderSecret: older?.value ?? null,
    olderSecretWrappedBy: older?.wrappedBy ?? null,
    olderSecretValidUntil: older?.validUntil.getTime() ?? null,
  };
}

export function fromEndpointRow(row: EndpointRow): WebhookEndpoint {
  return parseRow('webhook endpoint', row.id, () => ({
    id: row.id,
    clientId: row.clientId,
    url: row.url,
    name: row.name,
    types: parseJsonArray('types', row.types).map((type) => parseEnum('types', WEBHOOK_TYPES, type)),
    state: parseEnum('state', ENDPOINT_STATES, row.state),
    since: parseDate('since', row.since),
    createdAt: parseDate('created_at', row.createdAt),
    createdBy: row.createdBy,
    secret: { value: row.secret, wrappedBy: row.secretWrappedBy },
    secretVersion: row.secretVersion,
    previousSecret: replacedSecretOf(
      row.previousSecret,
      row.previousSecretWrappedBy,
      row.previousSecretValidUntil,
    ),
    olderSecret: replacedSecretOf(row.olderSecret, row.olderSecretWrappedBy, row.olderSecretValidUntil),
    failingSince: parseDateOrNull('failing_since', row.failingSince),
  }));
}

function replacedSecretOf(
  value: string | null,
  wrappedBy: string | null,
  until: number | null,
): ReplacedSecret | null {
  if (value === null || until === null) return null;
  return { value, wrappedBy, validUntil: parseDate('secret_valid_until', until) };
}

export function fromDeliveryRow(row: DeliveryRow): DeliveryEntry {
  return parseRow('webhook delivery', row.eventId, () => ({
    endpointId: row.endpointId,
    eventId: row.eventId,
    verificationId: row.verificationId,
    version: row.version,
    type: parseEnum('type', WEBHOOK_TYPES, row.type),
    at: parseDate('at', row.at),
    state: parseEnum('state', DELIVERY_STATES, row.state),
    attempts: row.attempts,
    dueAt: parseDateOrNull('due_at', row.dueAt),
  }));
}

export function toAttemptRow(
  { at, ...attempt }: Attempt,
  delivery: Pick<AttemptRow, 'clientId' | 'endpointId' | 'eventId'>,
): AttemptRow {
  return { ...attempt, ...delivery, at: at.getTime() };
}

export function fromAttemptRow({ id, at, durationMs, request, status, response, fault }: AttemptRow): Attempt {
  return parseRow('webhook attempt', id, () => ({
    id,
    at: parseDate('at', at),
    durationMs,
    request,
    status,
    response,
    fault,
  }));
}
