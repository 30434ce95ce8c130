import type { Mail } from '../mail/mail.ts';
import type { VerificationEvent } from '../verification/events.ts';
import type { StoredSecret, WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookType } from './webhook-event.ts';

/** Characters of a response that are kept of an attempt. */
export const RESPONSE_KEPT = 2_048;

/** The right of one worker to send to an endpoint. Each call of `leaseEndpoints` uses a new `leaseToken`. */
export interface EndpointLease {
  readonly clientId: string;
  readonly endpointId: string;
  readonly leaseToken: string;
}

/** An event on its way to an endpoint. */
export interface Delivery {
  readonly event: VerificationEvent;
  /** Attempts since its creation or since it was last sent again on demand. */
  readonly attempts: number;
}

/** One request to an endpoint and its result. */
export interface Attempt {
  readonly id: string;
  readonly at: Date;
  readonly durationMs: number;
  /** The body that was sent. */
  readonly request: string;
  /** HTTP status of the response; null without a response. */
  readonly status: number | null;
  /** The first `RESPONSE_KEPT` characters of the response's body; null without a response. */
  readonly response: string | null;
  /** Why there was no response; null with one. */
  readonly fault: string | null;
}

/** What becomes of a delivery after an attempt. `waiting`: it is due again at `dueAt`. */
export type Settlement =
  | { readonly state: 'delivered' }
  | { readonly state: 'waiting'; readonly dueAt: Date }
  | { readonly state: 'failed' };

/** A time in which no delivery to an endpoint succeeded. */
export interface Outage {
  /** When the first attempt began that failed. */
  readonly since: Date;
  /** When the attempt began that succeeded. */
  readonly until: Date;
}

/** States of a delivery. `waiting`: it will be tried, or tried again. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
/** The state of a delivery: one of `DELIVERY_STATES`. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A delivery as the log shows it. */
export interface DeliveryEntry {
  readonly endpointId: string;
  readonly eventId: string;
  readonly verificationId: string;
  /** The version of the verification after the event. */
  readonly version: number;
  readonly type: WebhookType;
  /** Time of the event. */
  readonly at: Date;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When the next attempt is due: not before that of an earlier version that waits too. Null unless `waiting`. */
  readonly dueAt: Date | null;
}

/** Filters and page of an endpoint's log: newest event first, then by descending event id. */
export interface DeliveryQuery {
  readonly clientId: string;
  readonly endpointId: string;
  readonly state: DeliveryState | undefined;
  /** Only deliveries after this one in the order of the list; undefined for the first page. */
  readonly after: { readonly at: Date; readonly eventId: string } | undefined;
  readonly limit: number;
}

/** The fields of an endpoint that a user or a receiver's response changes. */
export type EndpointChange = Partial<
  Pick<
    WebhookEndpoint,
    | 'url'
    | 'name'
    | 'types'
    | 'state'
    | 'since'
    | 'secret'
    | 'secretVersion'
    | 'previousSecret'
    | 'olderSecret'
    | 'failingSince'
  >
>;

/** The fields of an endpoint that a change was decided on, as they were read. */
export type ExpectedEndpoint = Partial<Pick<WebhookEndpoint, 'state' | 'secretVersion'>>;

/** A stored secret of an endpoint, for the rotation of keys. */
export interface SecretEntry {
  readonly clientId: string;
  readonly endpointId: string;
  readonly which: 'secret' | 'previousSecret' | 'olderSecret';
  readonly stored: StoredSecret;
}

/**
 * Stores the endpoints of clients and the deliveries to them. Each operation is atomic. Another client's endpoint is
 * `not_found`.
 *
 * An event that is sent as a webhook is stored as unsent, together with its change. `fanOut` makes a delivery of it for each
 * endpoint. A worker leases an endpoint, sends what is due and settles each delivery: at least once, and in the order of the
 * versions of each verification.
 */
export interface WebhookRepository {
  /**
   * Stores an endpoint if its client has fewer than `MAX_WEBHOOK_ENDPOINTS`.
   *
   * Concurrency: as many calls win as there are free places; the others receive `limit_reached` and store nothing.
   */
  add(
    endpoint: WebhookEndpoint,
  ): Promise<{ outcome: 'added' } | { outcome: 'limit_reached' } | { outcome: 'client_not_found' }>;

  /** Lists the client's endpoints, oldest first, then by id. */
  list(clientId: string): Promise<readonly WebhookEndpoint[]>;

  /**
   * Sets the given fields. Deliveries that wait for an endpoint that becomes `active` are due at `now`, unless they were due
   * earlier; deliveries that wait for an endpoint that becomes `disabled` become `failed`.
   *
   * Concurrency: of several changes of one field, the last one stays, unless they expect something: `conflict` if a field of
   * `expected` has another value by now. Nothing changes then.
   */
  change(
    clientId: string,
    endpointId: string,
    change: EndpointChange,
    now: Date,
    expected?: ExpectedEndpoint,
  ): Promise<
    { outcome: 'changed'; endpoint: WebhookEndpoint } | { outcome: 'not_found' } | { outcome: 'conflict' }
  >;

  /** Deletes the endpoint, its deliveries and their attempts. */
  remove(clientId: string, endpointId: string): Promise<{ outcome: 'removed' } | { outcome: 'not_found' }>;

  /**
   * Makes deliveries of up to `limit` unsent events, the oldest first, of one moment by version and id: one for each endpoint
   * of the client that is not disabled, receives the type, and whose `since` is not after the event. Each is due at `now`, or
   * when an earlier version of its verification is. The events are not unsent any more, with or without a delivery.
   *
   * Events of clients whose endpoints are all disabled, or that have none, and events before the `since` of every endpoint
   * that is not disabled, are left alone. Unsent earlier versions of a verification are taken with a later one whose clock
   * was behind, also beyond `limit`. Returns the number of events.
   *
   * Concurrency: each event is fanned out once, and never before an earlier event of its verification. A call that meets
   * another may return fewer than `limit`.
   */
  fanOut(request: { now: Date; limit: number }): Promise<number>;

  /**
   * Leases up to `limit` active endpoints with due deliveries until `until`, those that have been due longest first, and none
   * of those in `except`.
   *
   * Concurrency: each endpoint goes to one call only; a call that meets another may receive fewer than `limit`. From `until`
   * on, an endpoint that was not released can be leased again.
   */
  leaseEndpoints(request: {
    leaseToken: string;
    now: Date;
    until: Date;
    limit: number;
    except?: readonly string[];
  }): Promise<readonly WebhookEndpoint[]>;

  /** Moves the end of a lease. `lease_lost` if the endpoint was released or leased again. */
  extend(lease: EndpointLease, until: Date): Promise<{ outcome: 'extended' } | { outcome: 'lease_lost' }>;

  /**
   * Reads up to `limit` due deliveries, those that have been due longest first, then by the time and the id of the event: of
   * each verification only the one with the lowest version that is waiting, and none of the verifications in `except`. Null
   * if the lease was lost, or if the endpoint is no longer active.
   */
  due(
    lease: EndpointLease,
    request: { now: Date; limit: number; except: readonly string[] },
  ): Promise<readonly Delivery[] | null>;

  /**
   * Stores an attempt, and what becomes of its delivery. Counts the attempt. Later versions of a delivery that waits until
   * `dueAt` are not due before it. After a failure, `failingSince` of the endpoint becomes the time of the attempt, unless it is
   * earlier; if that is not after `pauseIfFailingSince`, an active endpoint becomes paused, and `mailsIfPaused` enter the
   * queue with that. `disable` disables the endpoint, as `change` does.
   *
   * A success ends an outage: after `delivered`, `failingSince` becomes null, if the attempt began later. If it was set, of
   * the deliveries to the endpoint that are due later than the attempt, the first `wake.limit` in the order of `dueAt`, version and event id
   * become due, spread evenly over `wake.withinMs` from the attempt on, the first immediately. Not among them are those of a verification
   * that has a waiting delivery with an attempt from before `failingSince`: it was woken once and failed again, or failed while others
   * succeeded. So each delivery loses at most one attempt of its plan.
   *
   * If as many as `wake.limit` were due later, `unfinished` is the outage. Given as `wake.outage` to a later success, that makes the
   * next ones due in the same way, without those that were tried again since the outage ended.
   *
   * Once the erasure of the verification has begun (`erasedAt`), the attempt is stored without texts, as `erase` leaves earlier ones:
   * `request` is `''`, `response` and `fault` are null. An attempt that is stored at the same time as the erasure begins is either
   * without texts, or emptied by `erase`.
   *
   * Concurrency: the holder of the lease wins; `lease_lost` changes nothing. A delivery that is no longer waiting stays as it
   * is, and its attempt is stored.
   */
  settle(
    lease: EndpointLease,
    delivery: { readonly eventId: string; readonly verificationId: string; readonly version: number },
    result: {
      attempt: Attempt;
      settlement: Settlement;
      pauseIfFailingSince: Date;
      wake: { readonly limit: number; readonly withinMs: number; readonly outage?: Outage | undefined };
      disable: boolean;
      /** Default: none. */
      mailsIfPaused?: readonly Mail[] | undefined;
    },
  ): Promise<{ outcome: 'settled'; unfinished?: Outage | undefined } | { outcome: 'lease_lost' }>;

  /** Ends a lease that still holds. The endpoint can be leased again as soon as its next delivery is due. */
  release(lease: EndpointLease): Promise<void>;

  /** Lists deliveries of an endpoint. */
  deliveries(query: DeliveryQuery): Promise<readonly DeliveryEntry[]>;

  /** Lists the attempts of a delivery, oldest first; null if the client's endpoint has no such delivery. */
  attempts(clientId: string, endpointId: string, eventId: string): Promise<readonly Attempt[] | null>;

  /**
   * Makes deliveries that are delivered or failed wait again, with no attempts counted: that of `eventId`, or all whose events
   * have the time `since` or a later one. Each is due at `now`, or when an earlier version of its verification is. Returns their
   * number. `disabled` changes nothing: a disabled endpoint receives no webhooks.
   */
  resend(request: {
    clientId: string;
    endpointId: string;
    which: { readonly eventId: string } | { readonly since: Date };
    now: Date;
  }): Promise<{ outcome: 'resent'; count: number } | { outcome: 'disabled' } | { outcome: 'not_found' }>;

  /** Deletes up to `limit` deliveries that are not waiting, of events before `before`, and their attempts. Returns their number. */
  forget(request: { before: Date; limit: number }): Promise<number>;

  /**
   * Counts what active endpoints have not received yet: waiting deliveries, and unsent events that `fanOut` would take. Each
   * is counted up to `limit`. `oldestAt`: time of the oldest of these events; null without any.
   */
  backlog(limit: number): Promise<{ readonly waiting: number; readonly oldestAt: Date | null }>;

  /** Counts the endpoints of all clients that are paused although no user paused them: `failingSince` is set. */
  countPausedAfterFailures(): Promise<number>;

  /** Counts the stored secrets that another key than this one encrypted, and those that are not encrypted. */
  countSecretsNotWrappedBy(key: string): Promise<number>;

  /**
   * Lists up to `limit` stored secrets that another key than this one encrypted, and those that are not encrypted, by
   * `endpointId`, the oldest secret of an endpoint first. They come after the secret given; null starts from the first.
   */
  listSecretsNotWrappedBy(
    key: string,
    after: Pick<SecretEntry, 'endpointId' | 'which'> | null,
    limit: number,
  ): Promise<readonly SecretEntry[]>;

  /**
   * Replaces a stored secret by the same one, encrypted by another key.
   *
   * Concurrency: `conflict` if `entry.stored` is not the stored value any more. Nothing changes then.
   */
  replaceSecret(
    entry: SecretEntry,
    next: StoredSecret,
  ): Promise<{ outcome: 'replaced' } | { outcome: 'conflict' }>;
}
