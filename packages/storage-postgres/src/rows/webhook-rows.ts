import {
  type Attempt,
  DELIVERY_STATES,
  type Delivery,
  type DeliveryEntry,
  parseEnum,
  parseRow,
} from '@countersign/domain/storage';
import {
  ENDPOINT_STATES,
  type ReplacedSecret,
  WEBHOOK_TYPES,
  type WebhookEndpoint,
} from '@countersign/domain/webhooks';
import type { Value } from '../connection/statement.ts';
import type { webhookAttempts, webhookEndpoints } from '../schema.ts';
import {
  momentText,
  momentTextOrNull,
  parseDate,
  parseDateOrNull,
  parseInteger,
  parseJsonArray,
  parseNumber,
  parseText,
  parseTextOrNull,
  type Row,
} from './parse-row.ts';
import { fromEventRow } from './rows.ts';

/** The database assigns the slot, and when the endpoint is due. */
type Assigned = 'slot' | 'dueAt' | 'wakes' | 'leaseToken' | 'leasedUntil';
type EndpointColumns = { [K in keyof Omit<typeof webhookEndpoints.$inferSelect, Assigned>]: Value };

export function toEndpointRow(endpoint: WebhookEndpoint): EndpointColumns {
  const { id, clientId, url, name, state, createdBy, types, since, createdAt, failingSince, secretVersion } =
    endpoint;
  return {
    id,
    clientId,
    url,
    name,
    state,
    createdBy,
    types: JSON.stringify(types),
    since: momentText(since),
    createdAt: momentText(createdAt),
    ...toSecretColumns(endpoint.secret),
    secretVersion,
    ...toPreviousSecretColumns(endpoint.previousSecret),
    ...toOlderSecretColumns(endpoint.olderSecret),
    failingSince: momentTextOrNull(failingSince),
  };
}

export function toSecretColumns({ value, wrappedBy }: WebhookEndpoint['secret']): {
  readonly secret: string;
  readonly secretWrappedBy: string | null;
} {
  return { secret: value, secretWrappedBy: wrappedBy };
}

export function toPreviousSecretColumns(previous: ReplacedSecret | null): {
  readonly previousSecret: string | null;
  readonly previousSecretWrappedBy: string | null;
  readonly previousSecretValidUntil: string | null;
} {
  return {
    previousSecret: previous?.value ?? null,
    previousSecretWrappedBy: previous?.wrappedBy ?? null,
    previousSecretValidUntil: momentTextOrNull(previous?.validUntil ?? null),
  };
}

export function toOlderSecretColumns(older: ReplacedSecret | null): {
  readonly olderSecret: string | null;
  readonly olderSecretWrappedBy: string | null;
  readonly olderSecretValidUntil: string | null;
} {
  return {
    olderSecret: older?.value ?? null,
    olderSecretWrappedBy: older?.wrappedBy ?? null,
    olderSecretValidUntil: momentTextOrNull(older?.validUntil ?? null),
  };
}

/** Columns in the order of the schema; those that the database assigns are not read. */
export function fromEndpointRow(row: Row): WebhookEndpoint {
  return parseRow('webhook endpoint', row[1], () => ({
    clientId: parseText('client_id', row[0]),
    id: parseText('id', row[1]),
    url: parseText('url', row[2]),
    name: parseText('name', row[3]),
    types: parseJsonArray('types', row[4]).map((type) => parseEnum('type', WEBHOOK_TYPES, type)),
    state: parseEnum('state', ENDPOINT_STATES, row[5]),
    since: parseDate('since', row[6]),
    createdAt: parseDate('created_at', row[7]),
    createdBy: parseTextOrNull('created_by', row[8]),
    secret: { value: parseText('secret', row[9]), wrappedBy: parseTextOrNull('secret_wrapped_by', row[10]) },
    previousSecret: parseReplacedSecret('previous_secret', row.slice(11, 14)),
    failingSince: parseDateOrNull('failing_since', row[14]),
    secretVersion: parseInteger('secret_version', row[20]),
    olderSecret: parseReplacedSecret('older_secret', row.slice(21, 24)),
  }));
}

function parseReplacedSecret(column: string, [value, wrappedBy, validUntil]: Row): ReplacedSecret | null {
  if (value === null) return null;
  return {
    value: parseText(column, value),
    wrappedBy: parseTextOrNull(`${column}_wrapped_by`, wrappedBy),
    validUntil: parseDate(`${column}_valid_until`, validUntil),
  };
}

/** Columns of the delivery in the order of the schema. */
export function fromDeliveryRow(row: Row): DeliveryEntry {
  return parseRow('webhook delivery of event', row[2], () => ({
    endpointId: parseText('endpoint_id', row[1]),
    eventId: parseText('event_id', row[2]),
    verificationId: parseText('verification_id', row[3]),
    version: parseInteger('version', row[4]),
    type: parseEnum('type', WEBHOOK_TYPES, row[5]),
    at: parseDate('at', row[6]),
    state: parseEnum('state', DELIVERY_STATES, row[7]),
    attempts: parseInteger('attempts', row[8]),
    dueAt: parseDateOrNull('due_at', row[9]),
  }));
}

/** The attempts of a delivery, then the columns of its event in the order of the schema. */
export function fromDueRow([attempts, ...event]: Row): Delivery {
  return { event: fromEventRow(event), attempts: parseInteger('attempts', attempts) };
}

/** The database takes the delivery from the lease. */
type AttemptColumns = {
  [K in keyof Omit<typeof webhookAttempts.$inferSelect, 'clientId' | 'endpointId' | 'eventId'>]: Value;
};

export function toAttemptRow({ at, ...same }: Attempt): AttemptColumns {
  return { ...same, at: momentText(at) };
}

/** Columns in the order of the schema. */
export function fromAttemptRow(row: Row): Attempt {
  return parseRow('webhook attempt', row[3], () => ({
    id: parseText('id', row[3]),
    at: parseDate('at', row[4]),
    durationMs: parseNumber('duration_ms', row[5]),
    request: parseText('request', row[6]),
    status: row[7] === null ? null : parseInteger('status', row[7]),
    response: parseTextOrNull('answer', row[8]),
    fault: parseTextOrNull('fault', row[9]),
  }));
}
