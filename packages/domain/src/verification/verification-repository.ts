import type { Month } from '../subscription/quota.ts';
import type { VerificationEvent } from './events.ts';
import type { SubjectType } from './flow.ts';
import type { ActiveStatus, Status } from './status.ts';
import type { VerificationRecord } from './verification-record.ts';

/** A new verification with what it is charged to. */
export interface CreateRequest {
  readonly record: VerificationRecord;
  /** Its `verification.created`. */
  readonly event: VerificationEvent;
  readonly month: Month;
  /** Verifications that the client may create in that month. */
  readonly allowance: number;
}

export type CreateOutcome =
  | { readonly outcome: 'created' }
  /** The `Idempotency-Key` of the record was used before, for the verification given here, as it is now. */
  | { readonly outcome: 'key_used'; readonly record: VerificationRecord }
  /** An active verification of the client has the same `subjectReference`. */
  | { readonly outcome: 'duplicate'; readonly verificationId: string; readonly status: ActiveStatus }
  /** The month's allowance is used up. */
  | { readonly outcome: 'limit_reached' };

export const SORT_FIELDS = [
  'requestedAt',
  'resolvedAt',
  'status',
  'type',
  'subjectReference',
  'currentStep',
] as const;
export type SortField = (typeof SORT_FIELDS)[number];

/** Which verifications of a client, and in which order. Filters that are undefined let everything pass. */
export interface VerificationQuery {
  readonly status: Status | undefined;
  readonly type: SubjectType | undefined;
  /** Matches exactly, case included. */
  readonly subjectReference: string | undefined;
  /**
   * Text is ordered by Unicode code point, nulls come last in both directions, and ties are broken by `id` in the
   * same direction.
   */
  readonly sortBy: SortField;
  readonly sortOrder: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/** What reviewers look for, in all clients' verifications. Filters that are undefined let everything pass. */
export interface QueueQuery {
  readonly status: Status;
  readonly type: SubjectType | undefined;
  readonly clientId: string | undefined;
  /** Claimed by this reviewer; with null, by nobody. */
  readonly claimedBy: string | null | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Where a page of `browse` ended: the next one begins after it. */
export interface BrowsePosition {
  readonly requestedAt: Date;
  readonly id: string;
}

/** What a client's staff looks through. Filters that are undefined let everything pass. */
export interface BrowseFilter {
  readonly status: Status | undefined;
  readonly type: SubjectType | undefined;
  /** What the reference begins with, case included: the text itself, with no character that means something else. */
  readonly subjectReferencePrefix: string | undefined;
  /** Requested at this moment or later. */
  readonly requestedFrom: Date | undefined;
  /** Requested before this moment. */
  readonly requestedUntil: Date | undefined;
}

export interface BrowseQuery extends BrowseFilter {
  readonly after: BrowsePosition | undefined;
  readonly limit: number;
  /** True where nobody reads `totalCount`: it may be any number then, and need not be counted. Left out: false. */
  readonly withoutTotal?: boolean | undefined;
}

/**
 * Verifications and their events. Each operation is atomic in itself. An id to look for is whatever a client sent: a
 * text that cannot be an id, NUL and all, finds nothing.
 */
export interface VerificationRepository {
  /**
   * Inserts the verification, charges one unit to the month and appends the event: all three or nothing. Where
   * several things stand in the way, the answer is the first of `key_used`, `duplicate`, `limit_reached`. Of any
   * number of calls at once for one active subject, or with one `Idempotency-Key`, exactly one is created; of those
   * in one month, exactly as many as the allowance. The others change nothing.
   */
  createCharged(request: CreateRequest): Promise<CreateOutcome>;

  /**
   * Replaces the record if its stored version still is `expectedVersion`, and appends the events in the same step.
   * Of several at once with one expected version, one is committed; the others get `conflict` and change nothing.
   * The stored data key stays as it is, whatever the record says: only `DataKeyRepository.replace` changes it.
   */
  commit(change: {
    record: VerificationRecord;
    expectedVersion: number;
    events: readonly VerificationEvent[];
  }): Promise<{ outcome: 'committed' } | { outcome: 'conflict' }>;

  /** One verification of the client, or null. Another client's is null too. */
  find(clientId: string, verificationId: string): Promise<VerificationRecord | null>;

  /** A verification of whichever client: for the subject, who shows a link's token, and for reviewers. */
  findForAnyClient(verificationId: string): Promise<VerificationRecord | null>;

  /** The verification of the client that was created with this `Idempotency-Key`, or null. */
  findByIdempotencyKey(clientId: string, idempotencyKey: string): Promise<VerificationRecord | null>;

  /** A verification of the client with all its events in the order of their versions, seen at one moment; or null. */
  findWithEvents(
    clientId: string,
    verificationId: string,
  ): Promise<{ record: VerificationRecord; events: readonly VerificationEvent[] } | null>;

  /** As `findWithEvents`, of whichever client: for reviewers. */
  findWithEventsForAnyClient(
    verificationId: string,
  ): Promise<{ record: VerificationRecord; events: readonly VerificationEvent[] } | null>;

  /**
   * One page of whichever clients' verifications for reviewers, and the exact number of all that match, seen at one
   * moment. Who waits longest comes first: by `submittedAt`, nulls last, ties broken by `id`.
   *
   * `answers` and `reviewData` may be empty objects here, whatever is stored: nobody reads them of a queue, and a storage
   * that seals does not unseal them for it. So one damaged verification does not hide the others.
   */
  queue(query: QueueQuery): Promise<{ records: readonly VerificationRecord[]; totalCount: number }>;

  /**
   * One page and the exact number of all matches, read at one moment. A record whose stored documents cannot be read keeps
   * its place as an `unreadableRecord`; it does not fail the page.
   */
  list(
    clientId: string,
    query: VerificationQuery,
  ): Promise<{ records: readonly VerificationRecord[]; totalCount: number }>;

  /**
   * One page of the client's verifications, the newest first: by `requestedAt`, ties broken by `id`, both falling, from
   * the first one after `after` on. What is created meanwhile neither repeats nor hides one. `totalCount` is all that
   * match, wherever the page begins, seen at the same moment.
   *
   * As with `queue`, `answers` and `reviewData` may be empty objects here, and a storage that seals does not unseal them.
   */
  browse(
    clientId: string,
    query: BrowseQuery,
  ): Promise<{ records: readonly VerificationRecord[]; totalCount: number }>;

  /** How many of the client's verifications were requested on each day (`YYYY-MM-DD`, UTC) from `from` until before `until`; days without any are left out. */
  countByDay(clientId: string, from: Date, until: Date): Promise<readonly { day: string; count: number }[]>;

  /**
   * Up to `limit` verifications, the oldest first, that a sandbox still has to drive: with a `sandboxOutcome`, in the
   * states pending or submitted, that no reviewer has claimed, of clients that are sandboxes now. Never one of any other client.
   */
  dueInSandbox(limit: number): Promise<readonly VerificationRecord[]>;
}
