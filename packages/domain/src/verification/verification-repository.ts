import type { JsonObject } from '../input/json.ts';
import type { Mail } from '../mail/mail.ts';
import type { KeptLabels, VerificationLabels } from '../matching/index-repository.ts';
import type { Month } from '../subscription/monthly-limit.ts';
import type { SystemReason } from './decision.ts';
import type { VerificationEvent } from './events.ts';
import type { SubjectType } from './flow.ts';
import type { ReviewActivity, ReviewActivityQuery } from './review-activity.ts';
import type { ReviewLoad, ReviewLoadQuery } from './review-load.ts';
import type { ActiveStatus, Status, StatusCounts } from './status.ts';
import type { DayRange, VerificationCounts } from './verification-counts.ts';
import type { VerificationRecord } from './verification-record.ts';
import type { Severity } from './warnings/review-warning.ts';

/** A new verification, its event, and the month it is charged to. */
export interface CreateRequest {
  readonly record: VerificationRecord;
  /** Its `verification.created`. */
  readonly event: VerificationEvent;
  readonly month: Month;
  /** Verifications that the client may create in that month. */
  readonly allowance: number;
  /** Mails to queue in the same step; none by default. */
  readonly mails?: readonly Mail[] | undefined;
}

/** The outcome of `createCharged`. */
export type CreateOutcome =
  | { readonly outcome: 'created' }
  /** The `Idempotency-Key` was used before; `record` is the verification it created, with its current state. */
  | { readonly outcome: 'key_used'; readonly record: VerificationRecord }
  /** An active verification of the client has the same `subjectReference`. */
  | { readonly outcome: 'duplicate'; readonly verificationId: string; readonly status: ActiveStatus }
  /** The month's allowance is used up. */
  | { readonly outcome: 'limit_reached' };

/** Fields that a client's list can be sorted by. */
export const SORT_FIELDS = [
  'requestedAt',
  'resolvedAt',
  'status',
  'type',
  'subjectReference',
  'currentStep',
] as const;
/** A field that a list is sorted by: one of `SORT_FIELDS`. */
export type SortField = (typeof SORT_FIELDS)[number];

/** Filters, order and page of a client's list. An undefined filter matches everything. */
export interface VerificationQuery {
  readonly status: Status | undefined;
  readonly type: SubjectType | undefined;
  /** Matches exactly, case included. */
  readonly subjectReference: string | undefined;
  /**
   * Text is ordered by Unicode code point, nulls come last in both directions, and ties are broken by `requestedAt`, then
   * by `id`, in the same direction.
   */
  readonly sortBy: SortField;
  readonly sortOrder: 'asc' | 'desc';
  readonly offset: number;
  /** From 0, which only counts. */
  readonly limit: number;
}

/** Filters and page of the reviewers' queue, across all clients. An undefined filter matches everything. */
export interface QueueQuery {
  readonly status: Status;
  readonly type: SubjectType | undefined;
  readonly clientId: string | undefined;
  /** Claimed by this reviewer; null: not claimed. */
  readonly claimedBy: string | null | undefined;
  /** Whether verifications of test twins (`testOf`) are left out. */
  readonly liveOnly: boolean;
  /** Whether only verifications with a `severity` of `SEVERITIES_TO_CHECK` match, and no pending one. Default false. */
  readonly isWarned?: boolean | undefined;
  /** Whether only verifications that are `isResubmitted` match, all of which are submitted. Default false. */
  readonly isResubmitted?: boolean | undefined;
  readonly after: QueuePosition | undefined;
  readonly limit: number;
  /** How far matches are counted: `totalCount` is exact up to this number, and any larger number if there are more. */
  readonly countUpTo: number;
}

/** The last verification of a page of `queue`; the next page begins after it. */
export interface QueuePosition {
  readonly submittedAt: Date | null;
  readonly id: string;
}

/** The last verification of a page of `browse`; the next page begins after it. */
export interface BrowsePosition {
  readonly requestedAt: Date;
  readonly id: string;
}

/** Filters of the dashboard's list. An undefined filter matches everything. */
export interface BrowseFilter {
  readonly status: Status | undefined;
  readonly type: SubjectType | undefined;
  /** Prefix of the reference, case-sensitive, without wildcards. */
  readonly subjectReferencePrefix: string | undefined;
  /** Requested at this time or later. */
  readonly requestedFrom: Date | undefined;
  /** Requested before this time. */
  readonly requestedUntil: Date | undefined;
}

/** Filters and page of the dashboard's list. */
export interface BrowseQuery extends BrowseFilter {
  readonly after: BrowsePosition | undefined;
  readonly limit: number;
  /** Skips counting: `totalCount` may be any number then. Default false. */
  readonly withoutTotal?: boolean | undefined;
  /**
   * How far matches are counted: `totalCount` is exact up to this number, and any larger number if there are more. Left
   * out, it is exact.
   */
  readonly countUpTo?: number | undefined;
}

/** A verification that may expire. */
export interface DueForExpiry {
  readonly clientId: string;
  readonly verificationId: string;
}

/** A verification and some of its events. */
export interface VerificationWithEvents {
  readonly record: VerificationRecord;
  readonly events: readonly VerificationEvent[];
}

/** Warnings of a verification as they are kept, and the most severe of them. */
export interface KeptWarnings {
  readonly warnings: JsonObject;
  readonly severity: Severity | null;
}

/** Records in their order, and the number of all matches, or as much of it as the query asks for. */
export interface RecordPage {
  readonly records: readonly VerificationRecord[];
  readonly totalCount: number;
}

/**
 * Stores verifications and their events. Each operation is atomic. Ids come from clients unchecked: a text that cannot be
 * an id, even one with NUL, finds nothing.
 *
 * A storage rejects a record that the domain never makes, and changes nothing: one that has more than `MAX_EVENTS` events and no
 * `resolvedAt`, and one that breaks a rule of `requireRetentionRules`.
 */
export interface VerificationRepository {
  /**
   * Inserts the verification, charges one unit to the month, appends the event and queues the mails: all of it or nothing. If
   * several conflicts exist, the outcome is the first of `key_used`, `duplicate`, `limit_reached`.
   *
   * Concurrency: of calls for one active subject or with one `Idempotency-Key`, exactly one wins; of calls in one month,
   * exactly `allowance` win. A loser changes nothing and receives the outcome that names its conflict.
   */
  createCharged(request: CreateRequest): Promise<CreateOutcome>;

  /**
   * Replaces the record if its stored version is still `expectedVersion`, appends the events and queues the mails in the same
   * step. Of several events, each has the version of its own change; the last one has the record's. A change without events is one too. The stored data key does not change: only `DataKeyRepository.replace` changes it. Neither
   * does `notify`. `warnings` and `severity` change only with `kept`.
   *
   * Concurrency: of calls with one expected version, the first wins; the others receive `conflict` and change nothing. So does a call with
   * labels of a key that the client does not have, or no longer has.
   */
  commit(change: {
    record: VerificationRecord;
    expectedVersion: number;
    events: readonly VerificationEvent[];
    /** The versions of earlier events to delete in the same step, whether they were delivered or not; none by default. */
    supersededVersions?: readonly number[] | undefined;
    /** Mails to queue; none by default. */
    mails?: readonly Mail[] | undefined;
    /** Labels that replace those of the verification (`IndexRepository`); without them, its labels and their versions stay. */
    labels?: VerificationLabels | KeptLabels | undefined;
    /** Warnings that replace the kept ones, as `noteWarnings` does; without them, the kept ones stay. Those of `record` are ignored. */
    kept?: KeptWarnings | undefined;
  }): Promise<{ outcome: 'committed' } | { outcome: 'conflict' }>;

  /**
   * Replaces the kept warnings of the verification (`warnings`, `severity`) if it has exactly this version and its erasure has not begun.
   * The version stays: no form gets a conflict from it.
   * @returns whether it was stored; false and no change otherwise
   */
  noteWarnings(
    note: KeptWarnings & {
      readonly clientId: string;
      readonly verificationId: string;
      readonly expectedVersion: number;
    },
  ): Promise<boolean>;

  /** Finds a verification of the client; null if there is none or it belongs to another client. */
  find(clientId: string, verificationId: string): Promise<VerificationRecord | null>;

  /** Finds a verification of any client: for reviewers and for subjects with a valid link. */
  findForAnyClient(verificationId: string): Promise<VerificationRecord | null>;

  /**
   * Finds the client of a verification; null if there is none. Reads neither `answers` nor `reviewData`, so it answers
   * for a damaged verification too.
   */
  clientOf(verificationId: string): Promise<string | null>;

  /**
   * Lists those of these clients that have a verification with this `subjectReference`, in any order. The cost grows with the clients that
   * are asked for, not with their verifications.
   */
  clientsWithReference(subjectReference: string, clientIds: readonly string[]): Promise<readonly string[]>;

  /** Finds the client's verification that was created with this `Idempotency-Key`. */
  findByIdempotencyKey(clientId: string, idempotencyKey: string): Promise<VerificationRecord | null>;

  /**
   * Finds a verification of the client with the events that changed its status (`STATUS_EVENT_TYPES`) in the order of their
   * versions, read at one moment. Reads no other events: there can be many.
   */
  findWithHistory(clientId: string, verificationId: string): Promise<VerificationWithEvents | null>;

  /**
   * Finds a verification of any client with its latest events, at most `limit`, in the order of their versions, read at one
   * moment: for reviewers.
   */
  findWithEventsForAnyClient(verificationId: string, limit: number): Promise<VerificationWithEvents | null>;

  /**
   * Reads a page of the reviewers' queue, across all clients, at one moment. The longest wait comes first: ordered by
   * `submittedAt`, nulls last, ties broken by `id`. A page after a position neither repeats nor leaves out a verification
   * when others were decided or submitted meanwhile. `totalCount` counts all matches, wherever the page begins.
   *
   * `answers` and `reviewData` may be empty objects here, `warnings` may be null, and a storage that seals does not unseal them. So a damaged
   * verification does not fail the page.
   */
  queue(query: QueueQuery): Promise<RecordPage>;

  /**
   * One page and the exact number of all matches, read at one moment. A record whose stored documents cannot be read keeps
   * its place as an `unreadableRecord`; it does not fail the page.
   */
  list(clientId: string, query: VerificationQuery): Promise<RecordPage>;

  /**
   * Reads a page of the client's verifications after `after`, the newest first: by `requestedAt`, ties broken by `id`, both
   * descending. Verifications created between two pages neither repeat nor hide one. `totalCount` counts all matches,
   * wherever the page begins, at the same moment.
   *
   * As with `queue`, `answers` and `reviewData` may be empty objects and `warnings` null here, and a storage that seals does not unseal them.
   */
  browse(clientId: string, query: BrowseQuery): Promise<RecordPage>;

  /**
   * Finds up to `limit` verifications with a short reference (`shortReference` of their ids), the newest first as in `browse`. Several may
   * have the same. A text that is no short reference finds nothing. `answers` and `reviewData` may be empty objects and `warnings` null here.
   * @param request without a `clientId`: of all clients, for reviewers
   */
  findByShortReference(request: {
    reference: string;
    clientId?: string | undefined;
    limit: number;
  }): Promise<readonly VerificationRecord[]>;

  /**
   * Finds how verifications ended without a review: by their events `ENDING_EVENT_TYPES`, whatever their status. Returns those that have one, by the id of the
   * verification. Finds nothing under another client. Nothing changes it once it is there, so it fits a list that was read before. The cost grows with
   * the verifications that are asked for, not with their events.
   */
  findEndings(
    asked: readonly { readonly clientId: string; readonly verificationId: string }[],
  ): Promise<ReadonlyMap<string, SystemReason>>;

  /**
   * Reads the numbers of the client's verifications by day of the request, type and status, in any order. Days and types
   * without any are left out. The storage keeps the numbers with every change, so that their cost does not grow with the
   * verifications of a day. Numbers that something else changed are not below 0.
   * @param days undefined: all days
   */
  counts(clientId: string, days?: DayRange): Promise<readonly VerificationCounts[]>;

  /**
   * Reads what the client's subjects submitted and reviewers decided by day, how long decisions took, and what waits, at one
   * moment.
   *
   * - A verification counts as submitted on the day of its `submittedAt`: once, on the day of its last submission. One that
   *   was resolved before `comparedFrom` is left out.
   * - It counts as approved or rejected on the day of its `resolvedAt`, if it was submitted and a reviewer decided it: it is
   *   `approved`, or has the event `verification.rejected`. A withdrawn or expired one counts as submitted, if it was, and
   *   has no decision.
   * - Its time to decision is `resolvedAt` less `submittedAt`, in ms and not below 0: a request for action in between
   *   begins it again. The median of an even number is the lower of the two in the middle (`medianOf`).
   * - An erased verification counts as it did before: erasure keeps its status, times and events.
   *
   * The cost grows with the client's verifications that are open after a submission, and those resolved since
   * `comparedFrom`, not with all of them.
   */
  reviewActivity(query: ReviewActivityQuery): Promise<ReviewActivity>;

  /**
   * Reads what waits for reviewers and what they decided, of all clients in live use, at one moment.
   *
   * - A verification that is `submitted` waits. It is overdue if `now` is later than its `submittedAt` and the `dueHours` of its
   *   client. The settings of test twins, and their verifications, do not count.
   * - A decision counts if `resolvedAt` is not before `decidedFrom`, by the actor of its event `verification.approved` or
   *   `verification.rejected`. One without such an event, or whose actor has no id, does not count.
   * - Times and the median are those of `reviewActivity`. An erased verification counts as it did before.
   *
   * The cost grows with the clients, with what is open after a submission, and with the decisions since `decidedFrom`.
   */
  reviewLoad(query: ReviewLoadQuery): Promise<ReviewLoad>;

  /**
   * Counts the verifications of all clients by status, at one moment, for metrics. A status without any has 0. It may
   * read the counts of every client, so it is not for requests.
   */
  countByStatus(): Promise<StatusCounts>;

  /**
   * Finds up to `limit` verifications that test mode still has to drive, the oldest first: with a `sandboxOutcome`, pending
   * or submitted, not claimed, and of test twins. One that cannot be read is an `unreadableRecord`.
   */
  dueInSandbox(limit: number): Promise<readonly VerificationRecord[]>;

  /**
   * Finds up to `limit` verifications of all clients that are in one of `EXPIRING_STATUSES`, were requested at `requestedBy`
   * or earlier, and whose link ended at `linkEndedBy` or earlier. Ordered by client, status, type, `requestedAt` and `id`,
   * which is the order of an index, so that a storage does not sort all of them for each slice. `requestedBy` is a range of
   * that index: it leaves out verifications whose first link cannot have ended by then.
   */
  dueForExpiry(request: { linkEndedBy: Date; requestedBy: Date; limit: number }): Promise<readonly DueForExpiry[]>;
}
